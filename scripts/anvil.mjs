// The payment tests settle on a real chain: Anvil, from Foundry. On x64 an npm package brings the program; run as a script,
// this makes the same program run on other Debian machines through QEMU's user mode.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apt, canInstall, fail, isProgram } from './debian.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const BIN = join(ROOT, 'node_modules', '.bin')
const PACKAGE = '@foundry-rs/anvil-linux-amd64'
const UNPACKED = join(ROOT, 'node_modules', '.anvil')
const QEMU = '/usr/bin/qemu-x86_64-static'
const LIBRARIES = '/usr/x86_64-linux-gnu'

if (!findAnvil()) install()

function install() {
  if (!canInstall(/^ID(?:_LIKE)?=.*debian/m)) {
    return fail(
      'The tests of payments need Anvil, and none was found. Install Foundry, so that `anvil` is in the PATH.',
    )
  }
  console.log('Installing Anvil for the tests of payments (once) …')
  if (!existsSync(QEMU) || !existsSync(join(LIBRARIES, 'lib', 'libgcc_s.so.1'))) {
    apt('update')
    apt(
      'install',
      '--yes',
      '--no-install-recommends',
      'qemu-user-static',
      'libc6-amd64-cross',
      'libgcc-s1-amd64-cross',
    )
  }
  unpackProgram()
  const program = join(UNPACKED, 'bin', 'anvil')
  writeFileSync(join(BIN, 'anvil'), `#!/bin/sh\nexec ${QEMU} -L ${LIBRARIES} '${program}' "$@"\n`, {
    mode: 0o755,
  })
  if (spawnSync(join(BIN, 'anvil'), ['--version']).status !== 0) fail('Anvil could not be installed.')
}

function findAnvil() {
  return [BIN, ...(process.env.PATH ?? '').split(delimiter)]
    .map(folder => join(folder, 'anvil'))
    .find(isProgram)
}

/** npm installs no package that is meant for another processor: it is fetched, and compared with what the lock file says. */
function unpackProgram() {
  const locked = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
  const { version, integrity } = locked[`node_modules/${PACKAGE}`]
  mkdirSync(BIN, { recursive: true })
  const folder = mkdtempSync(join(ROOT, 'node_modules', '.anvil-'))
  const options = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] }
  spawnSync('npm', ['pack', '--silent', `${PACKAGE}@${version}`], options)
  const archive = readdirSync(folder)[0]
  if (!archive) fail('Anvil could not be fetched: is there a network connection?')
  const found = createHash('sha512')
    .update(readFileSync(join(folder, archive)))
    .digest('base64')
  if (integrity !== `sha512-${found}`) fail('Anvil is not what the lock file says: it is left alone.')
  spawnSync('tar', ['-xzf', archive], options)
  rmSync(UNPACKED, { recursive: true, force: true })
  renameSync(join(folder, 'package'), UNPACKED)
  rmSync(folder, { recursive: true })
}
