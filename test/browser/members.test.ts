import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { eventually } from '#test/eventually.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { goOn, QUIET, rowOf, startStage, type Stage, type Visitor } from './browser.ts'

let stage: Stage
beforeAll(async () => (stage = await startStage()))
afterAll(() => stage.close())

const GRACE = 'grace.hopper@example.test'

test('a colleague is invited by mail, joins, and appears in the list', async () => {
  const { page, complaints } = await stage.visit(QUIET)
  await page.clock.install()
  await goOn(page, `${stage.app.url}/settings/members`)
  await page.getByRole('heading', { name: 'No pending invitations' }).waitFor()
  await invite(page, GRACE, 'Viewer')
  const invitation = page.getByRole('listitem').filter({ hasText: GRACE })
  await invitation.getByText('Sent', { exact: true }).waitFor()
  await invitation.getByText(/^Expires/).waitFor()

  const colleague = await stage.stranger()
  await colleague.page.goto(linkTo(GRACE))
  await colleague.page.getByRole('button', { name: 'Join the team' }).click()
  await colleague.page.getByRole('heading', { name: 'No leads yet' }).waitFor()
  // The page asks by itself, now and then.
  await page.clock.fastForward(10_000)
  await member(page, 'Grace Hopper').waitFor()
  await expect.poll(() => invitation.getByText('Sent').count()).toBe(0)

  // A viewer sees who is there, and is offered nothing that would be refused.
  await goOn(colleague.page, `${stage.app.url}/settings/members`)
  await member(colleague.page, 'Grace Hopper').getByText('You', { exact: true }).waitFor()
  expect(
    await colleague.page.getByRole('button', { name: /Invite|Remove|Rename|change the role/ }).count(),
  ).toBe(0)
  await colleague.page.getByRole('button', { name: 'Leave team' }).waitFor()
  expect([...complaints, ...colleague.complaints]).toEqual([])
})

further('whom the team knows already is said beside the address', async () => {
  const { page } = await stage.visit('/settings/members')
  await invite(page, 'twice@example.test', 'Member')
  await page.getByText('Invited twice@example.test').waitFor()
  await invite(page, 'twice@example.test', 'Member')
  const dialog = page.getByRole('dialog', { name: 'Invite someone' })
  await dialog.getByText('This address has already been invited.').waitFor()
  for (const [address, fault] of [
    ['ada@example.test', 'This person is already a member of the team.'],
    ['nobody', 'Enter a valid email address'],
  ] as const) {
    await dialog.getByLabel('Email').fill(address)
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await dialog.getByText(fault).waitFor()
  }
  await expect.poll(() => dialog.getByLabel('Email').getAttribute('aria-invalid')).toBe('true')
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Invite')

  const before = linkTo('twice@example.test')
  await page.getByRole('button', { name: 'Resend invitation to twice@example.test' }).click()
  await expect.poll(() => linkTo('twice@example.test')).not.toBe(before)
  await page.getByRole('button', { name: 'Revoke invitation to twice@example.test' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click()
  await page.getByRole('heading', { name: 'No pending invitations' }).waitFor()
  const stranger = await stage.stranger()
  await stranger.page.goto(linkTo('twice@example.test'))
  await stranger.page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
})

test('a role is changed by keyboard, undone, and a member is removed at once', async () => {
  const colleague = await joined('joan@example.test')
  const { page } = await stage.visit('/settings/members')
  const role = async () => (await people()).find(({ email }) => email === 'joan@example.test')?.role
  await page.getByRole('button', { name: /change the role of Joan/ }).press('Enter')
  const focused = () => page.evaluate('document.activeElement.textContent')
  await expect.poll(focused).toMatch(/^MemberWorks/)
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => focused()).toMatch(/^Admin/)
  await page.keyboard.press('Enter')
  await page.getByText('Joan is now an admin').waitFor()
  await expect.poll(() => role()).toBe('ADMIN')
  await page.keyboard.press('Control+z')
  await page.getByText('Undone').waitFor()
  await expect.poll(() => role()).toBe('MEMBER')

  await page.getByRole('button', { name: 'Remove Joan' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove Joan' }).click()
  await page.getByText('Removed Joan').waitFor()
  await expect.poll(() => member(page, 'Joan').count()).toBe(0)
  // The stream may have sent the window to the sign-in page already, which breaks a reload off.
  await colleague.page.reload().catch(() => {})
  await colleague.page.waitForURL('**/signin**')
})

further('the last owner cannot leave, and is told what to do first', async () => {
  const { page } = await stage.visit('/settings/members')
  await page.getByRole('button', { name: 'Leave team' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Leave Ada/ })
    .click()
  await page.getByRole('dialog', { name: 'You are the only owner' }).waitFor()
  await page.getByRole('button', { name: 'Got it' }).click()
  await member(page, 'Ada').waitFor()
})

further('who leaves goes on in another of their teams', async () => {
  const { page } = await joined('leaver@example.test', 'founder')
  await goOn(page, `${stage.app.url}/settings/members`)
  await page.getByRole('button', { name: 'Leave team' }).click()
  await page.getByText('You will be switched to another of your teams.').waitFor()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Leave Ada/ })
    .click()
  await page.getByRole('button', { name: "Leaver's team" }).waitFor()
})

further('the team is renamed, also after somebody else was faster', async () => {
  const { page } = await stage.visit('/settings/members')
  await page.getByRole('button', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename team' })
  await stage.api.patch('/api/team', { name: 'Faster' })
  await dialog.getByLabel('Name').fill('Analytical Engines')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await dialog.getByText('Someone else renamed it to Faster.').waitFor()
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('button', { name: 'Analytical Engines Ada' }).waitFor()
  await expect.poll(async () => (await stage.api.get('/api/team')).body.name).toBe('Analytical Engines')
})

further('another browser is signed out from here, this one only after a question', async () => {
  const other = await stage.stranger()
  await signIn(other, 'ada@example.test')
  const { page } = await stage.visit('/settings/sessions')
  await page.getByText('This browser').waitFor()
  await page.getByRole('button', { name: 'Sign out Chrome on Linux' }).click()
  await page.getByText('Signed out Chrome on Linux').waitFor()
  await other.page.goto(`${stage.app.url}/settings/sessions`)
  await other.page.waitForURL('**/signin**')

  await signIn(other, 'ada@example.test')
  await goOn(page, `${stage.app.url}/settings/sessions`)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByText('Signed out 1 other browser').waitFor()
  await other.page.reload()
  await other.page.waitForURL('**/signin**')

  await signIn(other, 'ada@example.test')
  await other.page.goto(`${stage.app.url}/settings/sessions`)
  await other.page.getByRole('button', { name: 'Sign out of this browser' }).click()
  await other.page.getByRole('dialog').getByRole('button', { name: 'Sign out of this browser' }).click()
  await other.page.waitForURL('**/signin')
})

test('another team has its own leads, and every tab goes there', async () => {
  const visitor = await stage.stranger()
  const { page, complaints } = visitor
  await signIn(visitor, 'many.teams@example.test')
  await goOn(page, `${stage.app.url}/leads`)
  await page.getByRole('button', { name: 'Create the first lead' }).click()
  await page.getByLabel('First name').fill('Secret')
  await page.getByRole('button', { name: 'Create lead' }).click()
  await rowOf(page, 'Secret').waitFor()
  const tab = await stage.tab(visitor, '/leads')
  await rowOf(tab.page, 'Secret').waitFor()

  await page
    .getByRole('button', { name: /Many Teams/ })
    .last()
    .click()
  await page.getByRole('menuitemradio', { name: "Many Teams's team", checked: true }).waitFor()
  await page.getByRole('menuitem', { name: 'New team' }).click()
  await page.getByLabel('Name').fill('Second')
  await page.keyboard.press('Enter')
  for (const each of [page, tab.page]) {
    await each.getByRole('button', { name: 'Second Many Teams' }).waitFor()
    await each.getByRole('heading', { name: 'No leads yet' }).waitFor()
    await expect.poll(() => each.getByText('Secret').count()).toBe(0)
  }

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('switch many')
  const found = page.getByRole('option', { name: "Switch to Many Teams's team" })
  await expect.poll(() => found.getAttribute('data-combobox-selected')).toBe('true')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: /^New 1 lead/ }).click()
  await rowOf(page, 'Secret').waitFor()
  expect([...complaints, ...tab.complaints]).toEqual([])
})

further('the palette invites from everywhere, and Back leaves no dialog behind', async () => {
  const { page } = await stage.visit('/settings/sessions')
  await page.getByText('This browser').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('invite')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Invite someone' })
  await dialog.waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
  await page.getByRole('link', { name: 'Members' }).click()
  await member(page, 'Ada').waitFor()
  await expect.poll(() => dialog.count()).toBe(0)
})

further('a new team is also founded on a phone', async () => {
  const { page } = await stage.visit('/leads', { viewport: { width: 390, height: 844 } })
  await page.getByRole('button', { name: 'Search and commands' }).click()
  await page.getByRole('combobox').fill('new team')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'New team' }).getByLabel('Name').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
})

/** An open menu lies above the page, and so outside of its landmarks. */
const MENU = { without: ['region'] }

const scenes: Scene[] = [
  ['/settings/members'],
  [
    '/settings/members',
    page =>
      page
        .getByRole('button', { name: /change the role of/ })
        .first()
        .click(),
    MENU,
  ],
  ['/settings/members', page => page.getByRole('button', { name: 'Invite', exact: true }).click()],
  ['/settings/sessions'],
  ['/settings/sessions', openUserMenu, MENU],
]

further(
  'axe finds nothing in any look, and nothing sticks out',
  async () => {
    const { page } = await joined('seen@example.test')
    await page.context().close()
    await stage.api.post('/api/team/invitations', { email: 'waiting@example.test', role: 'MEMBER' })
    await mailTo('waiting@example.test')
    await stage.app.database.query(`update invitations set mail_status = 'UNKNOWN', expires_at = now()`)
    expect(await faultsInEveryLook(stage, 'main li', scenes)).toEqual([])
  },
  120_000,
)

async function openUserMenu(page: Page): Promise<void> {
  const navigation = page.getByRole('button', { name: 'Open navigation' })
  if (await navigation.count()) await navigation.click()
  await page.getByRole('button', { name: /Ada$/ }).click()
  await page.getByRole('menuitemradio').first().waitFor()
}

function member(page: Page, name: string) {
  return page.getByRole('list', { name: 'People' }).getByRole('listitem').filter({ hasText: name })
}

async function people(): Promise<{ email: string; role: string }[]> {
  return (await stage.api.get('/api/team/members')).body.data
}

async function invite(page: Page, email: string, role: string): Promise<void> {
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Invite someone' })
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByLabel('Role').click()
  await page.getByRole('option', { name: role, exact: true }).click()
  await dialog.getByRole('button', { name: 'Send invitation' }).click()
}

/** A colleague in a window of its own; a founder has a team of its own besides. */
async function joined(email: string, founder?: 'founder'): Promise<Visitor> {
  if (founder) await stage.app.person(email)
  await stage.api.post('/api/team/invitations', { email, role: 'MEMBER' })
  await mailTo(email)
  const visitor = await stage.stranger()
  await visitor.page.goto(linkTo(email))
  if (founder) {
    // Whoever has an account signs in before joining.
    await visitor.page.getByRole('link', { name: `Sign in as ${email}` }).waitFor()
    await signIn(visitor, email)
    await visitor.page.goto(linkTo(email))
  }
  await visitor.page.getByRole('button', { name: 'Join the team' }).click()
  await visitor.page.waitForURL(`${stage.app.url}/`)
  return visitor
}

async function signIn({ page }: Visitor, email: string): Promise<void> {
  await page.goto(await stage.app.signIn(email))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${stage.app.url}/`)
}

/** The worker sends it in its own time. */
function mailTo(address: string): Promise<void> {
  return eventually(() => expect(stage.app.mail.lastTo(address)).toBeDefined())
}

function linkTo(address: string): string {
  const link = /http\S+\/invitation\/\S+/.exec(stage.app.mail.lastTo(address)?.text ?? '')?.[0]
  return link ?? 'no mail yet'
}
