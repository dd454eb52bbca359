/** `NO_ANSWER` → "No answer", `Engage_AI` → "Engage AI": constants as text. */
export function inPlainWords(constant: string): string {
  const text = constant.replaceAll('_', ' ')
  if (text !== text.toUpperCase()) return text
  return text.charAt(0) + text.slice(1).toLowerCase()
}

/** `lead.call_ended` → "Call ended". */
export function eventInWords(type: string): string {
  return asSentence(type.slice(type.indexOf('.') + 1).replaceAll(/[._]/g, ' '))
}

const counted = new Intl.NumberFormat('en')

export function count(amount: number): string {
  return counted.format(amount)
}

export function plural(amount: number, one: string, many = `${one}s`): string {
  return `${count(amount)} ${amount === 1 ? one : many}`
}

export function orList(words: string[]): string {
  return words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

export function initials(name: string): string {
  const parts = name.trim().split(/\s+/)
  const first = [...(parts[0] ?? '')][0] ?? ''
  const last = parts.length > 1 ? ([...(parts.at(-1) ?? '')][0] ?? '') : ''
  return (first + last).toUpperCase()
}

/** Capitalizes an error such as "is not an address". */
export function asSentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1)
}
