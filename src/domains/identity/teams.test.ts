import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startApp, type Person, type TestApp } from '#test/app.ts'
import { client } from '#test/client.ts'
import { colleagueOf } from '#test/colleague.ts'
import { eventually } from '#test/eventually.ts'
import { hold, waitingForLocks } from '#test/locks.ts'
import { settle } from '#test/settle.ts'
import { FakeClock } from '#platform/clock.ts'
import { MailUncertain } from '#platform/ports/mail.ts'

const DAY_MS = 86_400_000
const clock = new FakeClock()
let app: TestApp
beforeAll(async () => {
  app = await startApp({ clock })
})
afterAll(() => app.close())

const sameOrigin = { 'sec-fetch-site': 'same-origin' }
let invited = 0
const newAddress = () => `invited${++invited}@example.test`

async function mailedLink(address: string): Promise<string> {
  const mail = await eventually(() => app.mail.lastTo(address) ?? Promise.reject(new Error('no mail yet')))
  return new URL(/https?:\S+\/api\/auth\/invitation\/\S+/.exec(mail.text)![0]).pathname
}

async function invite(admin: Person, role = 'MEMBER', email = newAddress()) {
  const reply = await admin.browser.post('/api/team/invitations', { email, role })
  expect(reply.status, reply.text).toBe(201)
  return { email, id: reply.body.id as string, link: await mailedLink(email) }
}

async function accept(link: string) {
  const reply = await client(app.url).raw('POST', link, undefined, sameOrigin)
  const cookie = reply.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { reply, browser: client(app.url, { cookie, ...sameOrigin }) }
}

describe('several teams', () => {
  test('a person founds a second team, and switches this session alone', async () => {
    const ada = await app.person()
    const other = client(app.url, (await app.person(await addressOf(ada))).browser.headers)
    const { body: team } = await ada.browser.post('/api/auth/teams', { name: 'Second' })
    const { body: session } = await ada.browser.post('/api/auth/team', { teamId: team.id })
    expect(session.user).toMatchObject({ teamId: team.id, teamRole: 'SUPER_ADMIN' })
    expect((await ada.browser.get('/api/team')).body.name).toBe('Second')
    expect((await other.get('/api/team')).body.id).toBe(ada.team_id)
    const { body } = await ada.browser.get('/api/auth/teams')
    expect(body.data.map(({ id, active }: { id: string; active: boolean }) => [id, active])).toEqual([
      [ada.team_id, false],
      [team.id, true],
    ])
  })

  test('another team’s id is nothing, and the session stays where it was', async () => {
    const [ada, eve] = [await app.person(), await app.person()]
    const reply = await eve.browser.post('/api/auth/team', { teamId: ada.team_id })
    expect(reply.status).toBe(404)
    expect((await eve.browser.get('/api/team')).body.id).toBe(eve.team_id)
  })

  test('only a SUPER_ADMIN renames the team', async () => {
    const ada = await app.person()
    const admin = await colleagueOf(app, ada, 'ADMIN')
    expect((await admin.browser.patch('/api/team', { name: 'Mine' })).body.code).toBe('role_too_low')
    expect((await ada.browser.patch('/api/team', { name: 'Ours' })).body.name).toBe('Ours')
  })
})

describe('an invitation', () => {
  test('is mailed, joins once, signs in, and is gone', async () => {
    const ada = await app.person()
    await ada.browser.patch('/api/team', { name: 'Analysts' })
    const { email, link } = await invite(ada)
    expect(app.mail.lastTo(email)).toMatchObject({ subject: 'Join Analysts on Rapport' })
    for (let look = 0; look < 2; look++) {
      const page = await client(app.url).get(link)
      expect([page.status, page.text.includes('Analysts'), page.text.includes(email)]).toEqual([
        200,
        true,
        true,
      ])
    }
    const { reply, browser } = await accept(link)
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/'])
    expect((await browser.get('/api/auth/session')).body.user).toMatchObject({
      email,
      teamId: ada.team_id,
      teamRole: 'MEMBER',
    })
    expect((await accept(link)).reply.headers.get('location')).toBe(link)
    expect((await client(app.url).get(link)).status).toBe(404)
    expect((await ada.browser.get('/api/team/invitations')).body.data).toEqual([])
    const members = (await ada.browser.get('/api/team/members')).body.data
    expect(members.map((member: { email: string }) => member.email)).toContain(email)
  })

  test('says SENT once the mail has left', async () => {
    const ada = await app.person()
    const { id } = await invite(ada)
    await eventually(async () => {
      const { body } = await ada.browser.get('/api/team/invitations')
      expect(body.data).toMatchObject([{ id, mail_status: 'SENT' }])
    })
  })

  test('whose mail may or may not have left is UNKNOWN, and is not sent again by itself', async () => {
    const ada = await app.person()
    app.mail.faults.push(new MailUncertain('cut off'))
    const email = newAddress()
    const { body } = await ada.browser.post('/api/team/invitations', { email, role: 'MEMBER' })
    await eventually(async () => {
      const { body } = await ada.browser.get('/api/team/invitations')
      expect(body.data[0].mail_status).toBe('UNKNOWN')
    })
    // The job ends a moment after it has said so. One that is to be tried again would stay.
    const jobs = `select id from jobs where kind = 'invitation.mail'`
    await eventually(async () => expect(await app.database.query(jobs)).toEqual([]))
    expect(app.mail.lastTo(email)).toBeUndefined()
    await ada.browser.post(`/api/team/invitations/${body.id}/resend`)
    expect((await accept(await mailedLink(email))).reply.headers.get('set-cookie')).toBeTruthy()
  })

  test('that a worker died over in the middle of sending becomes UNKNOWN, and is not sent', async () => {
    const ada = await app.person()
    app.mail.faults.push(new Error('the server is busy'))
    const email = newAddress()
    const { body } = await ada.browser.post('/api/team/invitations', { email, role: 'MEMBER' })
    const status = async () => (await ada.browser.get('/api/team/invitations')).body.data[0].mail_status
    await eventually(async () => expect(await status()).toBe('FAILED'))
    await settle(app)
    // As a crash between the two notes leaves it: the row says SENDING, and the job comes round again.
    await app.database.query(`update invitations set mail_status = 'SENDING' where id = $1`, [body.id])
    clock.advance(60_000)
    await eventually(async () => expect(await status()).toBe('UNKNOWN'))
    expect(app.mail.lastTo(email)).toBeUndefined()
  })

  test('that could not be sent is tried again, and then is SENT', async () => {
    const ada = await app.person()
    app.mail.faults.push(new Error('the server is busy'))
    const email = newAddress()
    await ada.browser.post('/api/team/invitations', { email, role: 'MEMBER' })
    await eventually(async () => {
      const { body } = await ada.browser.get('/api/team/invitations')
      expect(body.data[0].mail_status).toBe('FAILED')
    })
    await settle(app)
    clock.advance(60_000)
    await mailedLink(email)
  })

  test('runs out after seven days, can be sent again with a new link, and taken back', async () => {
    const ada = await app.person()
    const { id, link, email } = await invite(ada)
    clock.advance(7 * DAY_MS - 1)
    expect((await client(app.url).get(link)).status).toBe(200)
    clock.advance(1)
    expect((await accept(link)).reply.headers.get('set-cookie')).toBeNull()
    expect((await client(app.url).get(link)).status).toBe(404)
    await ada.browser.post(`/api/team/invitations/${id}/resend`)
    const before = link
    const fresh = await eventually(async () => {
      const next = await mailedLink(email)
      expect(next).not.toBe(before)
      return next
    })
    expect((await client(app.url).get(fresh)).status).toBe(200)
    expect((await ada.browser.delete(`/api/team/invitations/${id}`)).status).toBe(204)
    expect((await accept(fresh)).reply.headers.get('set-cookie')).toBeNull()
    expect((await client(app.url).get(fresh)).status).toBe(404)
  })

  test('of fifty presses of the button one joins', async () => {
    const ada = await app.person()
    const { link } = await invite(ada)
    const presses = await Promise.all(Array.from({ length: 50 }, () => accept(link)))
    expect(presses.filter(({ reply }) => reply.headers.get('set-cookie'))).toHaveLength(1)
  })

  test('is not made twice, nor for a member, nor for a role above one’s own', async () => {
    const ada = await app.person()
    const { email } = await invite(ada)
    const again = await ada.browser.post('/api/team/invitations', {
      email: email.toUpperCase(),
      role: 'VIEWER',
    })
    expect([again.status, again.body.code]).toEqual([409, 'already_invited'])
    const member = await colleagueOf(app, ada, 'ADMIN')
    const there = await ada.browser.post('/api/team/invitations', {
      email: await addressOf(member),
      role: 'VIEWER',
    })
    expect([there.status, there.body.code]).toEqual([409, 'already_member'])
    const above = await member.browser.post('/api/team/invitations', {
      email: newAddress(),
      role: 'SUPER_ADMIN',
    })
    expect([above.status, above.body.code]).toEqual([403, 'role_too_low'])
  })

  test('keeps its link to itself: the API shows none, the database only a hash', async () => {
    const ada = await app.person()
    const { link } = await invite(ada)
    const token = link.split('/').at(-1)!
    expect((await ada.browser.get('/api/team/invitations')).text).not.toContain(token)
    for (const table of ['invitations', 'jobs', 'events'])
      expect(JSON.stringify(await app.database.query(`select * from ${table}`))).not.toContain(token)
  })

  test('opens no door into an account that is there already: its owner signs in, and joins then', async () => {
    const [ada, bob] = [await app.person(), await app.person()]
    const { link } = await invite(ada, 'MEMBER', await addressOf(bob))
    const stranger = await client(app.url).get(link)
    expect(stranger.text).toContain(`/signin?return_to=${encodeURIComponent(link)}`)
    const pressed = await accept(link)
    expect([pressed.reply.headers.get('location'), pressed.reply.headers.get('set-cookie')]).toEqual([
      link,
      null,
    ])
    const other = await (await app.person()).browser.raw('POST', link, undefined)
    expect(other.headers.get('set-cookie')).toBeNull()
    const joined = await bob.browser.raw('POST', link, undefined)
    const cookie = joined.headers.get('set-cookie')!.split(';')[0]!
    const { user } = (await client(app.url, { cookie }).get('/api/auth/session')).body
    expect(user).toMatchObject({ id: bob.user_id, teamId: ada.team_id, teamRole: 'MEMBER' })
  })

  test('another site cannot accept it for a visitor', async () => {
    const { link } = await invite(await app.person())
    const reply = await client(app.url).raw('POST', link, undefined, {
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    })
    expect(reply.status).toBe(403)
  })
})

describe('members', () => {
  test('an ADMIN changes members, but neither a SUPER_ADMIN nor to one', async () => {
    const ada = await app.person()
    const admin = await colleagueOf(app, ada, 'ADMIN')
    const member = await colleagueOf(app, ada, 'MEMBER')
    const change = (id: string, role: string) =>
      admin.browser.patch(`/api/team/members/${id}`, { role }).then(reply => reply.body.code ?? reply.status)
    expect(await change(member.user_id, 'VIEWER')).toBe(200)
    expect(await change(member.user_id, 'SUPER_ADMIN')).toBe('role_too_low')
    expect(await change(ada.user_id, 'MEMBER')).toBe('role_too_low')
    expect((await admin.browser.delete(`/api/team/members/${ada.user_id}`)).status).toBe(403)
    expect((await admin.browser.delete(`/api/team/members/${member.user_id}`)).status).toBe(204)
    expect((await member.browser.get('/api/crm/leads')).status).toBe(401)
  })

  test('the last SUPER_ADMIN cannot leave, be removed or be lowered', async () => {
    const ada = await app.person()
    await colleagueOf(app, ada, 'ADMIN')
    const own = `/api/team/members/${ada.user_id}`
    for (const reply of [
      await ada.browser.post('/api/team/leave'),
      await ada.browser.delete(own),
      await ada.browser.patch(own, { role: 'ADMIN' }),
    ])
      expect([reply.status, reply.body.code]).toEqual([409, 'last_super_admin'])
  })

  test('of two SUPER_ADMINs who leave at once, one stays', async () => {
    const ada = await app.person()
    const bob = await colleagueOf(app, ada, 'SUPER_ADMIN')
    // Neither is gone before the other has asked as well.
    await using others = await hold(app.database, 'lock table memberships in share row exclusive mode')
    const asked = [ada, bob].map(person => person.browser.post('/api/team/leave'))
    await expect.poll(() => waitingForLocks(app.database)).toBe(2)
    await others.letGo()
    const replies = await Promise.all(asked)
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 409])
    const left = await app.database.query('select role from memberships where team_id = $1', [ada.team_id])
    expect(left).toEqual([{ role: 'SUPER_ADMIN' }])
  })

  test('who leaves goes on in another team of its own; without one, has to sign in', async () => {
    const ada = await app.person()
    const { email, link } = await invite(ada, 'ADMIN')
    const { browser } = await accept(link)
    const { body: team } = await browser.post('/api/auth/teams', { name: `Own of ${email}` })
    expect((await browser.post('/api/team/leave')).status).toBe(204)
    expect((await browser.get('/api/team')).body.id).toBe(team.id)
    const lone = await colleagueOf(app, ada, 'MEMBER')
    expect((await lone.browser.post('/api/team/leave')).status).toBe(204)
    expect((await lone.browser.get('/api/team')).status).toBe(401)
  })

  test('every change is in the audit log, with who did it and from where', async () => {
    const ada = await app.person()
    const member = await colleagueOf(app, ada, 'MEMBER')
    await ada.browser.patch(`/api/team/members/${member.user_id}`, { role: 'VIEWER' })
    await ada.browser.delete(`/api/team/members/${member.user_id}`)
    const { body } = await ada.browser.get('/api/team/audit?subject_kind=member')
    expect(body.data).toMatchObject([
      { type: 'member.removed', actor: { kind: 'person', id: ada.user_id }, ip: '127.0.0.1' },
      { type: 'member.role_changed', data: { before: 'MEMBER', after: 'VIEWER' } },
    ])
  })
})

describe('sessions', () => {
  test('are listed newest first, and any of them is signed out at its next request', async () => {
    const ada = await app.person()
    const phone = await app.person(await addressOf(ada))
    const { body } = await ada.browser.get('/api/auth/sessions')
    expect(body.data.map((session: { current: boolean }) => session.current)).toEqual([false, true])
    expect((await phone.browser.get('/api/crm/leads')).status).toBe(200)
    expect((await ada.browser.delete(`/api/auth/sessions/${body.data[0].id}`)).status).toBe(204)
    expect((await phone.browser.get('/api/crm/leads')).status).toBe(401)
  })

  test('signing out everywhere else leaves this one', async () => {
    const ada = await app.person()
    const others = [await app.person(await addressOf(ada)), await app.person(await addressOf(ada))]
    expect((await ada.browser.post('/api/auth/sessions/end_others')).body).toEqual({ ended: 2 })
    for (const { browser } of others) expect((await browser.get('/api/crm/leads')).status).toBe(401)
    expect((await ada.browser.get('/api/crm/leads')).status).toBe(200)
  })

  test('somebody else’s is nothing to end', async () => {
    const [ada, eve] = [await app.person(), await app.person()]
    const [session] = (await ada.browser.get('/api/auth/sessions')).body.data
    expect((await eve.browser.delete(`/api/auth/sessions/${session.id}`)).status).toBe(404)
    expect((await ada.browser.get('/api/crm/leads')).status).toBe(200)
  })
})

async function addressOf({ browser }: Person): Promise<string> {
  return (await browser.get('/api/auth/session')).body.user.email
}
