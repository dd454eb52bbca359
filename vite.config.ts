import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { build, defineConfig, mergeConfig, type Plugin, type Rolldown, type UserConfig } from 'vite'
import { planChunks } from './scripts/web-chunks.ts'
import { icons } from './scripts/web-icons.ts'

const API_PORT = process.env.PORT ?? '3000'

export default defineConfig(async ({ command }) => (command === 'build' ? inFewFiles() : plain()))

/** Built twice: what pages share is known only after the first time. */
async function inFewFiles(): Promise<UserConfig> {
  const rehearsal = mergeConfig(plain(), {
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false },
  } satisfies UserConfig & { configFile: false })
  const { output } = (await build(rehearsal)) as Rolldown.RolldownOutput
  const plan = planChunks(output.filter(file => file.type === 'chunk'))
  return mergeConfig(plain(), {
    build: {
      rolldownOptions: {
        preserveEntrySignatures: 'allow-extension',
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [{ name: id => plan.get(id) ?? null }],
          },
        },
      },
    },
  } satisfies UserConfig)
}

const plain = (): UserConfig => ({
  root: 'src/web',
  plugins: [icons(), react(), schemeScript(), sourceList()],
  css: {
    postcss: { plugins: [mantine({ autoRem: false })] },
    modules: { localsConvention: 'camelCaseOnly' },
  },
  build: {
    outDir: '../../dist/web',
    emptyOutDir: true,
    assetsDir: 'assets',
    manifest: true,
    // Older targets make the CSS minifier rewrite light-dark() into something that ignores our scheme switch.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    target: ['chrome123', 'firefox120', 'safari17.5'],
    // A data: URL would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/signin', '/docs'].map(path => [
        path,
        { target: `http://127.0.0.1:${API_PORT}`, changeOrigin: true },
      ]),
    ),
  },
})

/**
 * The colour scheme must be set before the first paint, and the policy forbids inline scripts: a classic script with
 * its hash in the name, so that it can be cached for ever like every other asset.
 */
function schemeScript(): Plugin {
  const source = readFileSync(new URL('./src/web/scheme.js', import.meta.url), 'utf8')
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8)
  const fileName = `assets/scheme-${hash}.js`
  return {
    name: 'scheme-script',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source })
    },
    transformIndexHtml(_html, ctx) {
      const src = ctx.server ? '/scheme.js' : `/${fileName}`
      return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }]
    },
  }
}

/** Of our own files, those the web app is made of: `scripts/setup.mjs` builds it anew when one of them has changed. */
function sourceList(): Plugin {
  const isOurs = (file: string) => !/^\.\.|\0|(?:^|[\\/])node_modules[\\/]/.test(file)
  return {
    name: 'source-list',
    generateBundle() {
      const files = [...this.getModuleIds()].map(id => relative(import.meta.dirname, id.replace(/\?.*$/, '')))
      const sources = [...new Set(files.filter(isOurs))].toSorted()
      this.emitFile({ type: 'asset', fileName: '.vite/sources.json', source: JSON.stringify(sources) })
    },
  }
}
