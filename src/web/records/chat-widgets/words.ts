import type { ChatWidget } from '#domains/chat/contract.ts'
import { plural } from '../../ui/words.ts'

export function snippetOf({ id }: Pick<ChatWidget, 'id'>): string {
  return `<script src="${location.origin}/chat.js" data-widget="${id}" async></script>`
}

export function chatPagePath({ id }: Pick<ChatWidget, 'id'>): string {
  return `/chat/${encodeURIComponent(id)}`
}

/** "www.example.com and 2 more sites". */
export function sitesInWords({ allowed_domains: [first, ...others] }: ChatWidget): string {
  if (first === undefined) return 'Only on its own page'
  return others.length === 0 ? first : `${first} and ${plural(others.length, 'more site')}`
}
