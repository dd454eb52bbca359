import { join } from 'node:path'
import { pageAssets } from '#platform/page-assets.ts'

const folder = join(import.meta.dirname, 'assets')
export const assets = pageAssets(folder, '/i/assets', { style: 'pay.css', script: 'pay.js' })
