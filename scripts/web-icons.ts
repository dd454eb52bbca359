import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const COMPONENT = fileURLToPath(new URL('../src/web/ui/icon.tsx', import.meta.url))
const SCHEME = 'icon:'
/** Marks it as made here, so that no other plugin looks for a file. */
const MADE = '\0icon:'
const OUTLINE =
  /^<(?:path|g) fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round" stroke-width="2"/

/**
 * `import IconDots from 'icon:dots'`: an icon of Tabler's set as a component. The set is one file of data; as components
 * it would be eighteen thousand.
 */
export function icons(): Plugin {
  let bodies: Record<string, { body: string }> | undefined
  return {
    name: 'icons',
    enforce: 'pre',
    resolveId: id => (id.startsWith(SCHEME) ? MADE + id.slice(SCHEME.length) : undefined),
    load(id) {
      if (!id.startsWith(MADE)) return undefined
      const name = id.slice(MADE.length)
      bodies ??= createRequire(import.meta.url)('@iconify-json/tabler/icons.json').icons
      const body = bodies![name]?.body
      if (!body || !OUTLINE.test(body)) throw new Error(`There is no outline icon "${name}" in Tabler's set.`)
      const paths = [...body.matchAll(/ d="([^"]+)"/g)].map(([, path]) => path)
      return `import { iconOf } from ${JSON.stringify(COMPONENT)}\nexport default iconOf(${JSON.stringify(paths)})`
    },
  }
}
