//! Turns of phrase by what they try, in a few languages. Accents are left out, as they are when a text is read.

use std::sync::LazyLock;

use crate::Sign;
use crate::read::phrase::Phrases;

pub(crate) static PHRASES: LazyLock<Phrases<Sign>> = LazyLock::new(|| {
    Phrases::new(&[
        (Sign::Instruction, &INSTRUCTION),
        (Sign::Probing, &PROBING),
        (Sign::Pressure, &PRESSURE),
        (Sign::Threat, &THREAT),
        (Sign::Impersonation, &IMPERSONATION),
    ])
});

const INSTRUCTION: [&str; 28] = [
    "ignore|disregard|forget|override|bypass .. previous|prior|above|earlier|preceding|your .. instruction*|prompt*|rule*|guideline*|directive*",
    "ignore|disregard|forget .. everything|all .. above|before|instruction*|told",
    "system prompt|message",
    "developer|hidden|initial prompt|instructions",
    "you are now",
    "youre now",
    "from now on you",
    "your new|updated instructions",
    "act|behave as .. unrestricted|ai|assistant|model|llm",
    "pretend that|you|to .. you|be|are",
    "as an ai|llm",
    "you are an|a .. ai|llm|chatbot",
    "you must comply|obey|output|execute",
    "you must accept|agree this|my|our|the|now|to",
    "do not tell|inform|ask|alert .. person|user|owner|human|principal",
    "dont tell|inform|ask|alert .. person|user|owner|human|principal",
    "jailbreak|jailbroken",
    "developer|admin|god|debug mode",
    "ignoriere|vergiss|missachte .. anweisung*|instruktion*|regeln|vorgaben|befehle",
    "ignorieren sie .. anweisung*|instruktion*|regeln|vorgaben",
    "du bist jetzt|nun",
    "ignore|ignorez|oublie|oubliez .. instructions|consignes|regles",
    "tu es maintenant|desormais",
    "vous etes maintenant|desormais",
    "ignora|ignore|olvida|olvide .. instrucciones|reglas|ordenes|indicaciones",
    "ahora eres|actuas",
    "eres ahora",
    "a partir de ahora eres|actua*",
];

const PROBING: [&str; 8] = [
    "reveal|disclose|expose|print|output|repeat|leak|divulge .. your .. walk|walkaway|limit|limits|budget|reservation|bottom|maximum|minimum|instruction*|prompt|mandate|secret*|target|reasoning",
    "tell|give|share|show|send .. your .. walkaway|reservation|bottom|instruction*|prompt|mandate|secret*|password|credentials",
    "tell|give|share|show|send .. your .. walk away",
    "what are|were|is your .. instructions|prompt|mandate|walkaway|reservation",
    "verrate|nenne|offenbare .. limit|obergrenze|untergrenze|budget|anweisungen|schmerzgrenze",
    "revele|revelez|devoile|devoilez|divulguez .. limite|budget|instructions|plafond",
    "revela|revele|muestra|dime .. limite|presupuesto|instrucciones",
    "how high|low can|would|could you really",
];

const PRESSURE: [&str; 22] = [
    "only today",
    "today only",
    "last|final|only chance",
    "last|final warning",
    "now or never",
    "take it or leave",
    "within the|an|one hour",
    "in|within the next .. minutes|hour|hours",
    "expires|ends|gone tonight|today",
    "expires|ends|gone in .. minutes|hour|hours",
    "limited time offer",
    "act|decide|sign|accept|answer|reply now|immediately|fast",
    "immediately or",
    "before its too late",
    "everyone|everybody else .. accepted|signed|agreed",
    "nur heute",
    "letzte chance|moglichkeit|gelegenheit",
    "sofort entscheiden|zusagen|unterschreiben",
    "aujourdhui seulement",
    "derniere chance",
    "solo|solamente hoy",
    "ultima oportunidad",
];

const THREAT: [&str; 14] = [
    "or else",
    "you will regret|suffer",
    "youll regret|suffer",
    "there will be consequences",
    "i|we will|shall .. sue|expose|ruin|destroy|blacklist .. you|your",
    "ill|well sue|expose|ruin|destroy|blacklist .. you|your",
    "legal action",
    "leave|write|post .. bad|negative|terrible review*",
    "i|we know where you",
    "du wirst .. bereuen",
    "sie werden .. bereuen",
    "vous allez .. regretter",
    "tu vas .. regretter",
    "te arrepentiras",
];

const IMPERSONATION: [&str; 14] = [
    "i am your .. owner|principal|person|boss|developer|creator|administrator|operator|user|human",
    "im your .. owner|principal|person|boss|developer|creator|administrator|operator|user|human",
    "this is your .. owner|principal|person|boss|developer|creator|administrator|operator|user|human",
    "this is .. anthropic|openai|google|microsoft|countersign|admin|administrator|moderator",
    "this is .. support team|desk|staff|speaking",
    "message|notice|instruction from .. anthropic|openai|system|administrator|admin|countersign|owner",
    "your person|owner|principal|user|human|boss has|have|already|just .. approved|authorised|authorized|agreed|confirmed|accepted|consented|instructed",
    "your person|owner|principal|user|human|boss approved|authorised|authorized|agreed|confirmed|accepted|consented|instructed",
    "approved|authorised|authorized by your person|owner|principal|user|human|boss",
    "on behalf of your .. owner|principal|person|user|human",
    "ich bin dein|ihr .. besitzer|eigentumer|chef|auftraggeber|entwickler",
    "dein|ihr besitzer|auftraggeber|chef hat .. zugestimmt|genehmigt",
    "je suis ton|votre .. proprietaire|patron|developpeur|administrateur",
    "soy tu|su .. dueno|jefe|propietario|desarrollador|administrador",
];
