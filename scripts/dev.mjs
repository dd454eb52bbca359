// The server, restarted on every change, and the web app's own server beside it, which hands API calls on to the first.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const NODE = join(ROOT, 'node_modules', '.bin', 'node')

const children = [
  ['--watch-path=src', '--watch-preserve-output', 'src/main.ts', 'start', ...process.argv.slice(2)],
  ['node_modules/vite/bin/vite.js', '--clearScreen', 'false'],
].map(words => spawn(NODE, words, { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }))

let isStopping = false

// A terminal sends Ctrl-C to all of them; passed on, it would count as the impatient second one.
process.on('SIGINT', () => stopAll(process.stdin.isTTY ? undefined : 'SIGTERM'))
process.on('SIGTERM', () => stopAll('SIGTERM'))
for (const child of children) child.on('exit', () => stopAll('SIGTERM'))

function stopAll(signal) {
  if (!isStopping && signal) for (const child of children) child.kill(signal)
  isStopping = true
}
