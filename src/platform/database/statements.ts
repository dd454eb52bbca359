/**
 * The statements of an SQL file, each with its comments. A sharded database passes on to its nodes the text that it was sent,
 * so each statement is sent alone.
 */
export function statementsOf(sql: string): string[] {
  const statements: string[] = []
  let from = 0
  let hasWords = false
  // Within BEGIN ATOMIC … END, the body of a function, semicolons end nothing. CASE has an END too.
  let depth = 0
  for (const { 0: token, index } of sql.matchAll(TOKENS)) {
    const word = token.toLowerCase()
    if (token.startsWith('--') || token.startsWith('/*')) continue
    if (/^begin\s+atomic$/.test(word)) depth = 1
    else if (depth > 0 && word === 'case') depth++
    else if (depth > 0 && word === 'end') depth--
    else if (token === ';' && depth === 0) {
      if (hasWords) statements.push(sql.slice(from, index).trim())
      from = index + 1
      hasWords = false
      continue
    }
    hasWords = true
  }
  if (hasWords) statements.push(sql.slice(from).trim())
  return statements
}

/** Comments, quoted text, quoted names, dollar-quoted bodies, words, and whatever else is not a space. */
const TOKENS =
  /--[^\n]*|\/\*[^]*?\*\/|[eE]'(?:\\[^]|''|[^'\\])*'|'(?:''|[^'])*'|"(?:""|[^"])*"|\$([A-Za-z_]*)\$[^]*?\$\1\$|begin\s+atomic\b|[A-Za-z_][\w$]*|[^\s]/gi
