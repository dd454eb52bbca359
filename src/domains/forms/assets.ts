import { join } from 'node:path'
import type { Answer } from '#platform/answer.ts'
import { assetAnswer, JAVASCRIPT, pageAssets, readAsset } from '#platform/page-assets.ts'

/** Embedded in other people's pages under one name forever. */
const SHORT = 'public, max-age=3600'

const folder = join(import.meta.dirname, 'assets')
const embed = readAsset(join(folder, 'embed.js'), JAVASCRIPT)

export const assets = pageAssets(folder, '/f/assets', { style: 'form.css', script: 'form.js' })

export function embedAnswer(): Answer {
  return assetAnswer(embed, SHORT)
}
