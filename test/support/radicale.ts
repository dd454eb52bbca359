import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRadicale } from '../../scripts/radicale.mjs'
import { freePort } from './programs.ts'
import { eventually } from './eventually.ts'

const START_TIMEOUT_MS = 20_000
const PASSWORD = 'a good password: ü'

export type Radicale = Awaited<ReturnType<typeof startRadicale>>

/** A real CalDAV server with as many people as a test wants: each name is its own, the password is one for all. */
export async function startRadicale(...people: string[]) {
  const program = findRadicale()
  if (!program) throw new Error('Radicale is missing: node scripts/radicale.mjs')
  const folder = mkdtempSync(join(tmpdir(), 'rapport-radicale-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  writeFileSync(join(folder, 'people'), people.map(name => `${name}:${PASSWORD}\n`).join(''))
  writeFileSync(join(folder, 'config'), configuration(folder, port))
  let server: ChildProcess | undefined
  const radicale = {
    url,
    password: PASSWORD,
    async start() {
      server = spawn(program, ['--config', join(folder, 'config')], { stdio: 'ignore' })
      await eventually(() => fetch(`${url}/.web/`), START_TIMEOUT_MS)
    },
    async stop() {
      if (!server || server.exitCode !== null) return
      const exited = once(server, 'exit')
      server.kill('SIGKILL')
      await exited
      server = undefined
    },
    async close() {
      await radicale.stop()
      rmSync(folder, { recursive: true, force: true })
    },
    login: (name: string) => ({ server_url: `${url}/`, username: name, password: PASSWORD }),
    /** As the person's own calendar program. */
    async request(
      name: string,
      method: string,
      path: string,
      body?: string,
      headers: Record<string, string> = {},
    ) {
      const authorization = `Basic ${Buffer.from(`${name}:${PASSWORD}`).toString('base64')}`
      const answer = await fetch(url + path, {
        method,
        headers: { authorization, ...headers },
        ...(body !== undefined && { body }),
      })
      return { status: answer.status, body: await answer.text(), etag: answer.headers.get('etag') }
    },
    /** A calendar that takes these; events unless told. */
    async addCalendar(name: string, calendar: string, takes = 'VEVENT', title = calendar) {
      const path = `/${name}/${calendar}/`
      const { status } = await radicale.request(
        name,
        'MKCALENDAR',
        path,
        `<?xml version="1.0"?><c:mkcalendar xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:d="DAV:"><d:set><d:prop>
          <d:displayname>${title}</d:displayname>
          <c:supported-calendar-component-set><c:comp name="${takes}"/></c:supported-calendar-component-set>
        </d:prop></d:set></c:mkcalendar>`,
      )
      if (status !== 201) throw new Error(`no calendar was made: ${status}`)
      return path
    },
    /** An event written by the person's own program; `lines` are those of the VEVENT. */
    async addEvent(name: string, path: string, lines: string[], zones: string[] = []) {
      const { status, body } = await radicale.request(name, 'PUT', path, calendarOf(lines, zones), {
        'content-type': 'text/calendar; charset=utf-8',
      })
      if (status !== 201 && status !== 204) throw new Error(`no event was made: ${status} ${body}`)
    },
  }
  await radicale.start()
  return radicale
}

/** Each BEGIN:VEVENT of its own where the lines say so; else they are one event. */
export function calendarOf(lines: string[], zones: string[] = []): string {
  const events = lines[0] === 'BEGIN:VEVENT' ? lines : ['BEGIN:VEVENT', ...lines, 'END:VEVENT']
  const all = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Somebody//Else//EN',
    ...zones,
    ...events,
    'END:VCALENDAR',
  ]
  return `${all.join('\r\n')}\r\n`
}

function configuration(folder: string, port: number): string {
  return `
[server]
hosts = 127.0.0.1:${port}
[auth]
type = htpasswd
htpasswd_filename = ${folder}/people
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = ${folder}/collections
[rights]
type = owner_only
[logging]
level = error
`
}
