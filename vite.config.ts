import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig, type Plugin } from 'vite'

const API_PORT = process.env.PORT ?? '3000'

export default defineConfig({
  root: 'src/web',
  plugins: [react(), schemeScript()],
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
