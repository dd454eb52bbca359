#!/usr/bin/env node
// The command works under whatever Node a machine has: one that cannot run TypeScript hands over to the pinned one.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const NODE_MAJOR_MIN = 24
const SOURCES = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const BUILT = fileURLToPath(new URL('../dist/server/src-main.mjs', import.meta.url))
const STAMP = fileURLToPath(new URL('../node_modules/.rapport-setup.json', import.meta.url))
const SETUP = fileURLToPath(new URL('../scripts/setup.mjs', import.meta.url))
const PINNED_NODE = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))

// Where only what runs is installed, the sources cannot run: they are built, and built again when they have changed.
const isLean =
  !existsSync(PINNED_NODE) || (existsSync(STAMP) && readFileSync(STAMP, 'utf8').includes('"run '))
if (isLean) {
  const { status } = spawnSync(process.execPath, [SETUP, '--run'], {
    stdio: ['ignore', process.stderr, process.stderr],
  })
  if (status !== 0) process.exit(status ?? 1)
}
const MAIN = isLean ? BUILT : SOURCES
if (Number.parseInt(process.versions.node) >= NODE_MAJOR_MIN) await import(MAIN)
else handOver()

function handOver() {
  const child = spawn(PINNED_NODE, ['--expose-gc', MAIN, ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal sends Ctrl-C to both; passed on, it would count as the impatient second one.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => {
    process.stderr.write(`The pinned Node does not start: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', code => (process.exitCode = code ?? 1))
}
