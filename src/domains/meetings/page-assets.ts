import { join } from 'node:path'
import { pageAssets } from '#platform/page-assets.ts'

const folder = join(import.meta.dirname, 'assets')
export const assets = pageAssets(folder, '/book/assets', { style: 'booking.css', script: 'booking.js' })
