import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLogin } from '#domains/mailboxes/mailboxes.harness.ts'
import type { Person } from '#test/app.ts'
import { colleagueOf } from '#test/colleague.ts'
import { further } from '#test/tier.ts'
import { faultsInEveryLook, type Scene } from './axe.ts'
import { startStage, type Stage } from './browser.ts'
import {
  arrives,
  composer,
  drop,
  ELSEWHERE,
  OURS,
  party,
  PIXEL,
  reply,
  thread,
  written,
} from './inbox-mail.ts'

let stage: Stage
let ada: Person
beforeAll(async () => {
  stage = await startStage()
  ada = await stage.app.person('ada@example.test')
})
afterAll(() => stage.close())

async function connect(address: string, fields: object = {}, person = ada): Promise<{ id: string }> {
  const { status, body, text } = await person.browser.post('/api/mailboxes', newLogin(address, fields))
  expect(status, text).toBe(201)
  return body
}

const original = (page: Page) => page.frameLocator('iframe[title^="Original"]')
type Shown = { naturalWidth: number }
type Frame = { clientHeight: number; contentDocument: { documentElement: { scrollHeight: number } } }
const widthOf = (image: unknown) => (image as Shown).naturalWidth
const hiddenOf = (frame: unknown) => {
  const { clientHeight, contentDocument } = frame as Frame
  return contentDocument.documentElement.scrollHeight - clientHeight
}
test('an email is read as it was made, without images from elsewhere until they are asked for, and its files are saved', async () => {
  const id = await written(ada, 'Grace', {
    text: 'The plan is attached.',
    whole: 'The plan is attached.\n\n> Could you send the plan?',
    html: `<p style="color: #900">The <b>plan</b> is attached.</p><img src="cid:logo" alt="Logo"><img src="${ELSEWHERE}" alt="Banner"><script>parent.document.title = 'Taken'</script><a href="https://example.test/plan">Plan</a>`,
    files: [
      { name: 'Plan 2026.csv', type: 'text/csv', bytes: Buffer.from('a,b\n1,2'), content_id: null },
      { name: 'photo.png', type: 'image/png', bytes: PIXEL, content_id: null },
      { name: 'logo.png', type: 'image/png', bytes: PIXEL, content_id: 'logo' },
    ],
  })
  const { page } = await stage.visit(`/inbox/${id}`)
  const asked: string[] = []
  await page.route(`${new URL(ELSEWHERE).origin}/**`, route => {
    asked.push(route.request().url())
    return route.fulfill({ contentType: 'image/png', body: PIXEL })
  })
  await thread(page).getByText('The plan is attached.').waitFor()
  const files = thread(page).getByRole('list', { name: 'Files' })
  expect(await files.getByRole('link').count()).toBe(2)
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    files.getByRole('link', { name: /Plan 2026\.csv 7 bytes/ }).click(),
  ])
  expect(saved.suggestedFilename()).toBe('Plan 2026.csv')
  expect(await readFile(await saved.path(), 'utf8')).toBe('a,b\n1,2')
  const photo = files.locator('img')
  await expect.poll(() => photo.evaluate(widthOf)).toBe(1)

  await thread(page).getByRole('button', { name: 'Show original' }).click()
  await original(page).getByText('plan', { exact: true }).waitFor()
  await expect.poll(() => original(page).getByAltText('Logo').evaluate(widthOf)).toBe(1)
  await thread(page).getByText('Images from elsewhere are not shown.').waitFor()
  expect(asked).toEqual([])
  const frame = thread(page).locator('iframe')
  const height = () => frame.evaluate(hiddenOf)
  await expect.poll(height).toBe(0)

  await thread(page).getByRole('button', { name: 'Show images' }).click()
  await expect.poll(() => original(page).getByAltText('Banner').evaluate(widthOf)).toBe(1)
  expect(asked).toEqual([ELSEWHERE])
  expect(await thread(page).getByText('Images from elsewhere').count()).toBe(0)
  expect(await page.title()).not.toBe('Taken')
  await thread(page).getByRole('button', { name: 'Hide original' }).click()
  await thread(page).getByText('The plan is attached.').waitFor()
  expect(await frame.count()).toBe(0)
})

further(
  'from several mailboxes one is chosen to send from, and the list shows what came to one of them',
  async () => {
    const bob = await colleagueOf(stage.app, ada, 'MEMBER')
    await stage.app.database.query(`update users set name = 'Bob Builder' where id = $1`, [bob.user_id])
    const sales = await connect('sales@example.test')
    const own = await connect('bob.private@example.test', { shared: false, visibility: 'owner' }, bob)
    const id = await written(ada, 'Emmy', { mailbox: { id: sales.id } })
    await arrives(ada, {
      from: 'emmy@example.test',
      text: 'Between us',
      mailbox: { id: own.id, owner_id: bob.user_id, private_to: bob.user_id },
    })
    const { page, complaints } = await stage.visit(`/inbox/${id}?view=open`)
    await thread(page).getByText('Received at sales@example.test').waitFor()
    await thread(page).getByText('An email in Bob Builder’s private mailbox').waitFor()
    expect(await page.getByText('Between us').count()).toBe(0)

    const from = composer(page).getByRole('button', { name: /^From/ })
    await expect.poll(() => from.innerText()).toContain('sales@example.test')
    await from.click()
    // Nobody sends from the mailbox of somebody else.
    await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['sales@example.test', OURS])
    await page.getByRole('menuitem', { name: OURS }).click()
    await reply(page).fill('From the usual one')
    await composer(page).getByRole('button', { name: 'Send', exact: true }).click()
    await thread(page)
      .getByText(/^Sends in \d+ s$/)
      .waitFor()
    const [sent] = (await stage.api.get(`/api/conversations/${id}/messages`)).body.data
    expect(sent).toMatchObject({ text: 'From the usual one', mailbox_id: null })

    await written(ada, 'Max')
    await page.goto(`${stage.app.url}/inbox?view=open`)
    const list = page.getByRole('region', { name: 'Conversations' })
    await list.getByRole('link', { name: 'Max Hopper' }).waitFor()
    await arrives(ada, {
      from: 'emmy@example.test',
      text: 'Once more',
      mailbox: { id: sales.id },
    })
    await list.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Mailbox', exact: true }).click()
    await page.getByRole('option', { name: 'sales@example.test' }).click()
    await page.keyboard.press('Escape')
    await expect.poll(() => list.getByRole('link', { name: 'Max Hopper' }).count()).toBe(0)
    await list.getByRole('link', { name: 'Emmy Hopper' }).waitFor()
    expect(page.url()).toContain(`mailbox_id=${sales.id}`)
    expect(complaints).toEqual([])
  },
)

further(
  'axe finds nothing in emails and their composer, in any look',
  async () => {
    const id = await written(ada, 'Katherine', {
      to: [party(OURS), party('otto@example.test', 'Otto Hahn')],
      html: `<p>Numbers</p><img src="${ELSEWHERE}" alt="Banner">`,
      files: [
        { name: 'Numbers.pdf', type: 'application/pdf', bytes: Buffer.from('x'), content_id: null },
        { name: 'photo.png', type: 'image/png', bytes: PIXEL, content_id: null },
      ],
    })
    const shown: Scene[1] = page => thread(page).getByText('Numbers.pdf').waitFor()
    const scenes: Scene[] = [
      [
        `/inbox/${id}`,
        async page => {
          await shown(page)
          await thread(page)
            .getByRole('button', { name: /^to Otto/ })
            .click()
          await thread(page).getByRole('button', { name: 'Show original' }).click()
          await thread(page).getByText('Images from elsewhere').waitFor()
        },
      ],
      [
        `/inbox/${id}`,
        async page => {
          await shown(page)
          await thread(page).getByRole('button', { name: 'Reply all' }).click()
          await composer(page).getByRole('combobox', { name: 'Bcc' }).fill('nobody')
          await drop(page, ['one.txt', 'two.png'], 'drop')
          await composer(page).getByRole('button', { name: 'Remove two.png' }).waitFor()
        },
      ],
      [
        '/inbox',
        async page => {
          await page.keyboard.press('c')
          await page.getByRole('button', { name: 'Cc Bcc' }).click()
          await page.getByRole('combobox', { name: 'Cc', exact: true }).fill('ada@example.test, nobody')
          await page.getByLabel('Subject').focus()
          await page.getByRole('combobox', { name: 'Bcc' }).fill('katherine')
          await page.getByRole('option').waitFor()
        },
      ],
    ]
    const faults = await faultsInEveryLook(stage, 'main h1, main h2', scenes)
    // The browser itself says that it has not loaded the image.
    expect(faults.filter(fault => !fault.includes(ELSEWHERE))).toEqual([])
  },
  300_000,
)
