/**
 * JSON with one value per line. Only whitespace changes: twenty-digit numbers, repeated keys and escapes stay as sent.
 * Text that is not JSON is returned as it is.
 */
export function laidOut(text: string): string {
  if (!isJson(text)) return text
  let depth = 0
  let out = ''
  const tokens = text.match(TOKEN) ?? []
  for (const [at, token] of tokens.entries()) {
    const before = tokens[at - 1] ?? ''
    const closes = token === '}' || token === ']'
    if (closes) depth--
    if (opens(before) ? !closes : closes || before === ',') out += `\n${INDENT.repeat(depth)}`
    out += token === ':' ? ': ' : token
    if (opens(token)) depth++
  }
  return out
}

const INDENT = '  '
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g

function opens(token: string): boolean {
  return token === '{' || token === '['
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
