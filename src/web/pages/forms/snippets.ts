import type { FormWithCounts } from '#domains/forms/contract.ts'
import { hostedAddress } from './hosted.ts'

type Shared = Pick<FormWithCounts, 'slug' | 'title' | 'fields'>

export function scriptSnippet({ slug, title }: Shared): string {
  return `<script src="${location.origin}/f/embed.js" data-form="${slug}" data-title="${attribute(title)}" async></script>`
}

export function frameSnippet({ slug, title }: Shared): string {
  return `<iframe src="${hostedAddress(slug)}?embed=1" title="${attribute(title)}" width="100%" height="600" style="border: 0"></iframe>`
}

const VALUES_MAX = 2

/** An example with up to two fields of the form that can be prefilled. */
export function linkWithValues({ slug, fields }: Shared): string {
  const open = fields.filter(({ prefill, type }) => prefill || type === 'hidden')
  const params = new URLSearchParams()
  for (const { key, options, type } of open.slice(0, VALUES_MAX))
    params.set(key, options?.[0] ?? (type === 'email' ? 'ada@example.com' : 'value'))
  params.set('utm_source', 'newsletter')
  params.set('utm_campaign', 'spring')
  return `${hostedAddress(slug)}?${params.toString()}`
}

/** Escapes the title, which is part of the snippet. */
function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
