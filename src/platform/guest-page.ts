import { escape, type Html } from './html.ts'
import type { PageAssets } from './page-assets.ts'

type Options = {
  /** Its address is a secret of who has it: no other site is told where a visitor came from. */
  secret?: boolean
  scripted?: boolean
  embedded?: boolean
  /** Where its script asks. */
  api?: string
  /** What it is written in. */
  language?: string
}

/** A whole page for strangers: one sheet, in their system's colours, that no search engine keeps. */
export function guestDocument(
  { stylePath, scriptPath }: Pick<PageAssets, 'stylePath' | 'scriptPath'>,
  title: string,
  body: Html,
  { secret = false, scripted = true, embedded = false, api, language = 'en' }: Options = {},
): string {
  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="robots" content="noindex">',
    ...(secret ? ['<meta name="referrer" content="no-referrer">'] : []),
    `<title>${escape(title)}</title>`,
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    `<link rel="stylesheet" href="${stylePath}">`,
    ...(scripted ? [`<script src="${scriptPath}" defer></script>`] : []),
  ]
  return `<!doctype html>
<html lang="${escape(language)}"${embedded ? ' class="embedded"' : ''}>
<head>
${head.join('\n')}
</head>
<body>
<main${api === undefined ? '' : ` data-api="${escape(api)}"`}>
${body.text}
</main>
</body>
</html>
`
}
