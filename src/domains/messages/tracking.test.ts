import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { client } from '#test/client.ts'
import { hostileTexts } from '#test/hostile.ts'
import { shareOf } from '#test/tier.ts'
import { restingRowsOf, rowsOf } from '#test/rows.ts'
import { workOf } from '#test/work.ts'
import { isMachineAgent } from './machine.ts'
import {
  bent,
  clickPath,
  openHouse,
  openPath,
  rowOf,
  sent,
  THUNDERBIRD,
  told,
  toldTypes,
  unsubscribePath,
  type House,
} from './messages.harness.ts'

let house: House
beforeAll(async () => {
  house = await openHouse()
})
afterAll(() => house.close())

const asPerson = { 'user-agent': THUNDERBIRD }
const open = (path: string, headers: Record<string, string> = asPerson) => house.stranger.get(path, headers)
const LINKS =
  '<p><a href="https://example.test/a?x=1&amp;y=2">a</a> <a href="https://meet.example.test/ada">meet</a> <a href="https://example.test/c">c</a></p>'
const withLinks = () => sent(house, house.ada, { html: LINKS, meeting_url: 'https://meet.example.test/' })

describe('the picture in a mail', () => {
  test('is a transparent point that nobody keeps, and tells that the mail was opened, once', async () => {
    const mail = await sent(house, house.ada)
    const reply = await fetch(house.app.url + openPath(house, mail), { headers: asPerson })
    expect((await reply.arrayBuffer()).byteLength).toBe(43)
    expect(reply.headers.get('content-type')).toBe('image/gif')
    expect(reply.headers.get('cache-control')).toBe('no-store, private')
    house.clock.advance(60_000)
    await open(openPath(house, mail))
    const [event, ...more] = await told(house, mail)
    expect(more).toEqual([])
    expect(event).toMatchObject({
      type: 'email.opened',
      lead_id: mail.lead_id,
      data: { message_id: mail.id, machine: false, subject: 'A question' },
    })
    const row = await rowOf(house, mail)
    expect(row.opened_at).toBe(event!.at)
    expect(row.machine_opened_at).toBeNull()
    const lead = await house.ada.browser.get(`/api/crm/leads/${mail.lead_id}`)
    expect(lead.body.last_activity_at).toBe(row.opened_at)
  })

  test('opened twenty times at once is told of once', async () => {
    const mail = await sent(house, house.ada)
    await Promise.all(Array.from({ length: 20 }, () => open(openPath(house, mail))))
    expect(await toldTypes(house, mail)).toEqual(['email.opened'])
  })

  test('answers the same whatever it is asked with, and writes nothing for what is not right', async () => {
    const mail = await sent(house, house.ada)
    const right = openPath(house, mail)
    const bits = [0, 95, 96, 191, 192, 199, 200, 279]
    const wrong = [
      ...bits.map(bit => bent(right, bit)),
      ...hostileTexts.slice(0, 60).flatMap(text => {
        const part = encodeURIComponentSafely(text)
        return part ? [`/t/o/${part}`] : []
      }),
      right.slice(0, -1),
      `${right}A`,
      clickPath(house, mail).replace('/t/c/', '/t/o/'),
      unsubscribePath(house, mail).replace('/u/', '/t/o/'),
      openPath(house, { ...mail, id: newId() }),
      openPath(house, { ...mail, team_id: (await house.app.person()).team_id }),
    ]
    const expected = await fetch(house.app.url + openPath(house, { ...mail, id: newId() }))
    const point = Buffer.from(await expected.arrayBuffer())
    const before = await restingRowsOf(house.app.database)
    for (const path of wrong) {
      const reply = await fetch(house.app.url + path, { headers: asPerson })
      expect([path, reply.status]).toEqual([path, 200])
      expect(Buffer.from(await reply.arrayBuffer()).equals(point)).toBe(true)
    }
    expect(await rowsOf(house.app.database)).toEqual(before)
  })

  test('is told by machines apart: they say that it arrived, and not that anybody read it', async () => {
    const mail = await sent(house, house.ada)
    for (const agent of ['Mozilla/5.0', 'curl/8.5.0', "Barracuda Sentinel '; drop table messages; --"])
      await open(openPath(house, mail), { 'user-agent': agent })
    const row = await rowOf(house, mail)
    expect(row).toMatchObject({ opened_at: null, clicked_at: null })
    expect(row.machine_opened_at).not.toBeNull()
    expect((await told(house, mail)).map(({ type, data }) => [type, data.machine])).toEqual([
      ['email.opened', true],
    ])
    await open(openPath(house, mail))
    expect((await rowOf(house, mail)).opened_at).not.toBeNull()
    expect((await told(house, mail)).map(({ data }) => data.machine)).toEqual([true, false])
  })

  test.for<[string, RequestInit]>([
    ['HEAD', { method: 'HEAD', headers: asPerson }],
    ['a prefetch', { headers: { ...asPerson, purpose: 'prefetch' } }],
    ['a prefetch in new words', { headers: { ...asPerson, 'sec-purpose': 'prefetch;prerender' } }],
  ])('by %s is a machine', async ([, init]) => {
    const mail = await sent(house, house.ada)
    await fetch(house.app.url + openPath(house, mail), init)
    const { opened_at, machine_opened_at } = await rowOf(house, mail)
    expect([opened_at, machine_opened_at !== null]).toEqual([null, true])
  })

  test('within three seconds of leaving is a machine, and after them a person', async () => {
    const soon = await sent(house, house.ada, {}, 2_999)
    const later = await sent(house, house.ada, {}, 3_000)
    const google = {
      'user-agent':
        'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    }
    await open(openPath(house, soon), google)
    await open(openPath(house, later), google)
    expect((await rowOf(house, soon)).opened_at).toBeNull()
    expect((await rowOf(house, later)).opened_at).not.toBeNull()
  })

  test('proves that a mail of which nobody knew was sent', async () => {
    const mail = await sent(house, house.ada, { status: 'UNKNOWN' })
    await open(openPath(house, mail))
    expect(await rowOf(house, mail)).toMatchObject({ status: 'SENT', reason: null })
    expect((await rowOf(house, mail)).sent_at).not.toBeNull()
    expect(await toldTypes(house, mail)).toEqual(['email.sent', 'message.found', 'email.opened'])
  })

  test('of a mail that is still in our hand is noted, and the hand keeps it', async () => {
    const mail = await sent(house, house.ada, { status: 'SENDING' })
    await open(openPath(house, mail))
    const row = await rowOf(house, mail)
    expect(row).toMatchObject({ status: 'SENDING', opened_at: null, sent_at: null })
    expect(row.machine_opened_at).not.toBeNull()
  })

  test('is not lost to the limit of requests, though a mail service asks from one address', async () => {
    const limited = await openHouse({ config: { rateLimit: true } })
    try {
      const mail = await sent(limited, limited.ada)
      const from = client(limited.app.url)
      const statuses = await Promise.all(
        Array.from({ length: 400 }, () => from.get(openPath(limited, mail), asPerson)),
      )
      expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]))
    } finally {
      await limited.close()
    }
  })
})

describe('a link in a mail', () => {
  test('leads to where its author wanted, and is told of once per link', async () => {
    const mail = await withLinks()
    const reply = await open(clickPath(house, mail, 0))
    expect([reply.status, reply.headers.get('location')]).toEqual([302, 'https://example.test/a?x=1&y=2'])
    expect(reply.headers.get('cache-control')).toBe('no-store')
    house.clock.advance(5_000)
    await open(clickPath(house, mail, 0))
    await open(clickPath(house, mail, 1))
    expect((await told(house, mail)).map(({ type, data }) => [type, data.url, data.meeting])).toEqual([
      ['email.opened', undefined, undefined],
      ['email.clicked', 'https://example.test/a?x=1&y=2', false],
      ['email.clicked', 'https://meet.example.test/ada', true],
    ])
    const row = await rowOf(house, mail)
    expect(row.clicked_at).toBe(row.clicks[0].at)
    expect(row.opened_at).not.toBeNull()
  })

  test('followed by twenty at once is told of once', async () => {
    const mail = await withLinks()
    await Promise.all(Array.from({ length: 20 }, () => open(clickPath(house, mail, 1))))
    expect(await toldTypes(house, mail)).toEqual(['email.opened', 'email.clicked'])
  })

  test('of which several are followed within two seconds: all but the first are a machine’s', async () => {
    const mail = await withLinks()
    await open(clickPath(house, mail, 0))
    house.clock.advance(1_999)
    await open(clickPath(house, mail, 1))
    house.clock.advance(2_000)
    await open(clickPath(house, mail, 2))
    expect((await rowOf(house, mail)).clicks.map(({ link, machine }: any) => [link, machine])).toEqual([
      [0, false],
      [1, true],
      [2, false],
    ])
  })

  test('of which several are followed at once: one counts at most', async () => {
    const mail = await withLinks()
    await Promise.all([0, 1, 2].map(link => open(clickPath(house, mail, link))))
    const { clicks } = await rowOf(house, mail)
    expect(clicks.filter(({ machine }: { machine: boolean }) => !machine)).toHaveLength(1)
    expect((await toldTypes(house, mail)).filter(type => type === 'email.clicked')).toHaveLength(3)
  })

  test('followed by a machine leads on, and never counts as a click', async () => {
    const mail = await withLinks()
    const reply = await open(clickPath(house, mail, 1), { 'user-agent': 'python-requests/2.32' })
    expect(reply.status).toBe(302)
    await open(clickPath(house, mail, 1), { 'user-agent': 'python-requests/2.32' })
    expect(await rowOf(house, mail)).toMatchObject({ clicked_at: null, opened_at: null })
    expect((await told(house, mail)).map(({ data }) => data.machine)).toEqual([true])
  })

  test('that is not right shows a page, leads nowhere and writes nothing', async () => {
    const mail = await withLinks()
    const right = clickPath(house, mail, 0)
    const wrong = [
      ...[0, 96, 191, 192, 193, 279].map(bit => bent(right, bit)),
      clickPath(house, mail, 3),
      clickPath(house, mail, 249),
      openPath(house, mail).replace('/t/o/', '/t/c/'),
      '/t/c/https%3A%2F%2Fevil.example%2F',
      '/t/c/__proto__',
      clickPath(house, { ...mail, team_id: (await house.app.person()).team_id }),
    ]
    const before = await restingRowsOf(house.app.database)
    for (const path of wrong) {
      const reply = await open(path)
      expect([path, reply.status]).toEqual([path, 404])
      expect(reply.text).toContain('This link is not valid')
      expect(reply.headers.get('location')).toBeNull()
    }
    expect(await rowsOf(house.app.database)).toEqual(before)
  })

  test('cannot become a header, whatever its author put between the quotes', async () => {
    const mail = await sent(house, house.ada, {
      html: '<a href="https://example.test/\r\nset-cookie: a=b/ü?x=&quot;">a</a> <a href="https://[bad">b</a>',
    })
    const reply = await open(clickPath(house, mail, 0))
    expect(reply.headers.get('location')).toBe('https://example.test/set-cookie:%20a=b/%C3%BC?x=%22')
    expect(reply.headers.get('set-cookie')).toBeNull()
    expect((await open(clickPath(house, mail, 1))).status).toBe(404)
  })

  test('whatever a visitor calls itself, it is led on', async () => {
    const mail = await withLinks()
    for (const text of shareOf(hostileTexts, 2, 4).filter(({ length }) => length < 5_000)) {
      const agent = [...text].filter(char => char >= ' ' && char <= '~').join('')
      expect((await open(clickPath(house, mail, 2), { 'user-agent': agent })).status).toBe(302)
    }
  })
})

describe('who is a machine', () => {
  test.for([
    '',
    'Mozilla/5.0',
    ' Mozilla/5.0 ',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Gmail-content-sampling',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
    'Mimecast/1.0',
    'Go-http-client/2.0',
    'node',
    'facebookexternalhit/1.1',
  ])('%j is one', agent => expect(isMachineAgent(agent)).toBe(true))

  test.for([
    THUNDERBIRD,
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
    'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
    'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Linux; Android 14; CUBOT P80) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36',
  ])('%j is a person', agent => expect(isMachineAgent(agent)).toBe(false))

  test('a long name is judged by its beginning, at once', () => {
    const name = 'bo'.repeat(1_000_000)
    expect(workOf(() => void isMachineAgent(name))).toBeLessThan(1_000)
  })
})

function encodeURIComponentSafely(text: string): string | undefined {
  return text.isWellFormed() && !['', '.', '..'].includes(text) && text.length < 1_000
    ? encodeURIComponent(text)
    : undefined
}
