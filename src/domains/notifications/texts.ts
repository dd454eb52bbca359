import { TEXT_LENGTH_MAX, TITLE_LENGTH_MAX } from './values.ts'

/** A push service takes 4,096 bytes: at four bytes a character, these and their link stay well below. */
const PUSHED_TITLE_MAX = 120
const PUSHED_TEXT_MAX = 400

/** May contain strangers' text: one line, however long or odd it is. Never empty. */
export function fitTitle(text: string): string {
  return cut(onOneLine(text), TITLE_LENGTH_MAX) || 'Notification'
}

export function fitText(text: string | null | undefined): string | null {
  // Line ends stay; other control characters say nothing, and PostgreSQL takes no U+0000.
  const plain = (text ?? '')
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, ' ')
    .trim()
  return cut(plain, TEXT_LENGTH_MAX) || null
}

/** As a browser shows it outside of Rapport. */
export function pushedTexts({ title, text }: { title: string; text: string | null }) {
  return { title: cut(title, PUSHED_TITLE_MAX), text: text && cut(onOneLine(text), PUSHED_TEXT_MAX) }
}

function onOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
}

/** By code units, as lengths are counted everywhere, and no character of it is half. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const kept = text.slice(0, max - 1)
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`
}
