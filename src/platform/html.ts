/** Text that is already HTML; everything else put into a page is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Piece = string | number | Html | readonly Html[] | null | undefined | false

/** Server-rendered pages: html`<p>${anything}</p>` escapes what it is given. */
export function html(strings: TemplateStringsArray, ...pieces: Piece[]): Html {
  return new Html(strings.reduce((text, part, at) => text + render(pieces[at - 1]) + part))
}

/** The one small layout of every public page: no script, no framework, one style sheet. */
export function layout(title: string, body: Html, { wide = false } = {}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)} · Rapport</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/public.css">
</head>
<body>
<main${wide ? ' class="wide"' : ''}>
${body.text}
</main>
</body>
</html>
`
}

/** The HTML part of an email, self-contained for any email client. */
export function letter(title: string, body: Html): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escape(title)}</title></head>
<body>
${body.text}
</body>
</html>
`
}

function render(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (Array.isArray(piece)) return piece.map(render).join('')
  return escape(String(piece))
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escape(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character]!)
}
