import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join, relative, resolve, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'

export const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** What a source's program is called in a bundle: all of them lie side by side. */
export function inBundle(source: string): string {
  return relative(ROOT, source).replaceAll(/[/\\]/g, '-').replace(/ts$/, 'mjs')
}

/** The server, and the threads that it starts. */
export function serverPrograms(): string[] {
  return ['src/main.ts', ...globSync('src/**/*-thread.ts', { cwd: ROOT })].map(file => join(ROOT, file))
}

type Options = {
  programs: readonly string[]
  /** Written to `into`; read from `folder`, where it may be moved to. Both lie equally deep. */
  into: string
  folder?: string
  minify?: boolean
}

/**
 * Programs of the product with their packages, in a few files. Finding its 1,500 modules takes Node most of the time of a
 * start, and reading TypeScript a third of the memory.
 */
export async function bundle({ programs, into, folder = into, minify = false }: Options): Promise<void> {
  // Most who import this file only want a name.
  const { build } = await import('rolldown')
  await build({
    cwd: ROOT,
    input: Object.fromEntries(programs.map(file => [inBundle(file), file])),
    platform: 'node',
    plugins: [ownPlace(folder), ownManifest],
    checks: { preferBuiltinFeature: false },
    output: { dir: into, format: 'esm', entryFileNames: '[name]', chunkFileNames: '[hash].mjs', minify },
  })
}

const THREAD = /new URL\('(\.[^']*-thread\.ts)', import\.meta\.url\)/g

/** A module finds what lies beside its source: migrations, pages, scripts. A thread is in the bundle. */
function ownPlace(folder: string): Plugin {
  return {
    name: 'own-place',
    transform: {
      filter: { code: /\bimport\.meta\.(url|dirname)\b/ },
      handler: (code, id) => {
        const place = (path: string) =>
          `new URL(${JSON.stringify(relative(folder, path).replaceAll('\\', '/'))}, import.meta.own)`
        return code
          .replaceAll(
            THREAD,
            (_, path: string) =>
              `new URL(${JSON.stringify(`./${inBundle(resolve(dirname(id), path))}`)}, import.meta.own)`,
          )
          .replaceAll(/\bimport\.meta\.url\b/g, `${place(id)}.href`)
          .replaceAll(/\bimport\.meta\.dirname\b/g, `decodeURIComponent(${place(dirname(id))}.pathname)`)
          .replaceAll('import.meta.own', 'import.meta.url')
      },
    },
  }
}

/** Its field `private` can be no name of an export. */
const ownManifest: Plugin = {
  name: 'own-manifest',
  load: {
    filter: { id: join(ROOT, 'package.json') },
    handler: async id => ({ code: `export default ${await readFile(id, 'utf8')}`, moduleType: 'js' }),
  },
}
