import type { ChatLanguage } from './values.ts'

type Letter = { subject: string; beginning: string }

/** The email to somebody who has left the chat, around what the team wrote. */
export function letterWords(language: ChatLanguage, team: string): Letter {
  return letters[language](team)
}

const letters: Record<ChatLanguage, (team: string) => Letter> = {
  en: team => ({
    subject: `Your chat with ${team}`,
    beginning: 'You left the chat before you could read our answer. Reply to this email to continue.',
  }),
  de: team => ({
    subject: `Ihr Chat mit ${team}`,
    beginning:
      'Sie haben den Chat verlassen, bevor Sie unsere Antwort lesen konnten. Antworten Sie einfach auf diese E-Mail.',
  }),
  fr: team => ({
    subject: `Votre discussion avec ${team}`,
    beginning:
      'Vous avez quitté la discussion avant de lire notre réponse. Répondez à cet e-mail pour continuer.',
  }),
  es: team => ({
    subject: `Su chat con ${team}`,
    beginning: 'Salió del chat antes de leer nuestra respuesta. Responda a este correo para continuar.',
  }),
}
