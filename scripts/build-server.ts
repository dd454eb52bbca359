// Makes dist/server of the sources: what `npm start` runs.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundle, ROOT, serverPrograms } from './server-bundle.ts'

const folder = join(ROOT, 'dist', 'server')
rmSync(folder, { recursive: true, force: true })
await bundle({ programs: serverPrograms(), into: folder, minify: true })
