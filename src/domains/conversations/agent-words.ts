export type Language = 'en' | 'de' | 'fr' | 'es'

const LOOKED_AT_MAX = 2_000

/** Short words that texts of a language have and those of the others do not. */
const common: Record<Language, ReadonlySet<string>> = {
  en: new Set([
    'the',
    'and',
    'is',
    'are',
    'what',
    'you',
    'how',
    'does',
    'with',
    'can',
    'to',
    'of',
    'it',
    'my',
    'for',
  ]),
  de: new Set([
    'der',
    'die',
    'das',
    'und',
    'ist',
    'ich',
    'nicht',
    'mit',
    'was',
    'wie',
    'ein',
    'eine',
    'zu',
    'für',
    'sie',
  ]),
  fr: new Set([
    'le',
    'les',
    'et',
    'est',
    'je',
    'vous',
    'pas',
    'une',
    'pour',
    'avec',
    'quel',
    'combien',
    'des',
    'du',
    'mon',
  ]),
  es: new Set([
    'el',
    'los',
    'las',
    'y',
    'es',
    'con',
    'para',
    'una',
    'por',
    'cuánto',
    'qué',
    'cómo',
    'mi',
    'hola',
    'quiero',
  ]),
}

/** The language of what somebody wrote, as far as an agent's own sentences are concerned. */
export function languageOf(text: string): Language {
  const words =
    text
      .slice(0, LOOKED_AT_MAX)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  const score = (language: Language) => words.filter(word => common[language].has(word)).length
  const languages = Object.keys(common) as Language[]
  return languages.toSorted((a, b) => score(b) - score(a))[0]!
}

/** The first answer of an agent begins with it. */
export function saysItIsAi(language: Language, agent: string): string {
  return {
    en: `I am ${agent}, an AI assistant of the team.`,
    de: `Ich bin ${agent}, ein KI-Assistent des Teams.`,
    fr: `Je suis ${agent}, un assistant IA de l’équipe.`,
    es: `Soy ${agent}, un asistente de IA del equipo.`,
  }[language]
}

/** What a visitor reads when an agent stops answering. */
export function saysItHandsOver(language: Language): string {
  return {
    en: 'I am handing this over to a person of the team. They will answer as soon as they can.',
    de: 'Ich gebe das an einen Menschen aus dem Team weiter. Er antwortet, sobald er kann.',
    fr: 'Je transmets votre demande à une personne de l’équipe. Elle vous répondra dès que possible.',
    es: 'Paso tu mensaje a una persona del equipo. Te responderá en cuanto pueda.',
  }[language]
}

/** A verb of talking or wanting, and a person, close together; or that it be no machine. */
const WISHES = [
  /\b(?:talk|speak|chat|connect(?: me)?|write|transfer(?: me)?)\s+(?:to|with)\s+(?:an?\s+|the\s+|some\s*|your\s+)?(?:real\s+|actual\s+|live\s+)?(?:human|person|people|agent|someone|somebody|representative|colleague)/i,
  /\b(?:want|need|like|prefer|get(?: me)?)\s+(?:an?\s+)?(?:real\s+|actual\s+|live\s+)?(?:human|real person|person to (?:talk|speak|answer))/i,
  /\b(?:not|no)\s+(?:an?\s+)?(?:bot|robot|machine|chatbot|ai)\b/i,
  /\b(?:mit|von)\s+(?:einem|einer|’nem|nem)\s+(?:echten\s+|richtigen\s+)?(?:menschen|mitarbeiter(?:in)?|person|kollegen|berater)\b/i,
  /\b(?:echten|richtigen)\s+menschen\b|\b(?:kein|keinen|keinem)\s+(?:bot|roboter|chatbot|ki)\b/i,
  /\b(?:parler|discuter|échanger)\s+(?:à|avec|a)\s+(?:un|une|quelqu)\s*(?:[’']un|humain|vraie?|personne|conseiller|conseillère|agent)/i,
  /\b(?:un|une)\s+(?:vrai\s+humain|vraie\s+personne|être\s+humain)\b|\bpas\s+(?:un|de|à\s+un)\s+(?:robot|bot)\b/i,
  /\bhablar\s+con\s+(?:una?|alguien|el|la)\b(?:\s+(?:persona|humano|agente|asesor|operador|ser humano))?/i,
  /\b(?:persona|humano)\s+(?:real|de verdad)\b|\bno\s+(?:un|con\s+un)\s+(?:robot|bot)\b/i,
]

/** Whether somebody asks for a person, in one of these languages. A model may notice it in others. */
export function asksForPerson(text: string): boolean {
  const looked = text.slice(0, LOOKED_AT_MAX)
  return WISHES.some(wish => wish.test(looked))
}
