// What the scripts share that bring real programs to the tests: a look for them, and Debian's packages.
import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'

/** Whether packages can be installed here: by root, and on a system of this name. */
export function canInstall(name) {
  return process.getuid?.() === 0 && name.test(osRelease())
}

export function apt(...words) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', ['-qq', ...words], { env, stdio: 'inherit' }).status === 0
}

export function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export function fail(line) {
  console.error(line)
  process.exit(1)
}

function osRelease() {
  try {
    return readFileSync('/etc/os-release', 'utf8')
  } catch {
    return ''
  }
}
