import { describe, expect, test } from 'vitest'
import { judgeDomain, parentsOf, publicDomain, SELECTORS, type Sender, type Texts } from './domain-records.ts'

const DOMAIN = 'team.example'
const imap: Sender = { address: `Sales@${DOMAIN}`, kind: 'imap', smtpHost: 'smtp.team.example' }
const google: Sender = { ...imap, kind: 'google', smtpHost: 'smtp.gmail.com' }
const microsoft: Sender = { ...imap, kind: 'microsoft', smtpHost: 'smtp.office365.com' }

type Given = {
  spf?: Texts
  dkim?: Record<string, Texts>
  dmarc?: { domain: string; texts: Texts }[]
}

function judge(sender: Sender, given: Given) {
  const dkim = new Map<string, Texts>(SELECTORS.map(selector => [selector, []]))
  for (const [selector, texts] of Object.entries(given.dkim ?? {})) dkim.set(selector, texts)
  const spf = 'spf' in given ? given.spf : []
  const records = judgeDomain(sender, { spf, dkim, dmarc: given.dmarc ?? [{ domain: DOMAIN, texts: [] }] })
  return Object.fromEntries(records.map(record => [record.kind, record]))
}

const INCLUDE = 'include:_spf.google.com'

describe('SPF', () => {
  const spf = (sender: Sender, texts: Texts) => judge(sender, { spf: texts })['spf']

  test.for<[string, Sender, string[], string]>([
    ['any record', imap, ['v=spf1 mx ~all'], 'good'],
    ['a record without all', imap, ['v=spf1 a'], 'good'],
    ['a record among other texts', imap, ['google-site-verification=x', 'v=spf1 mx -all'], 'good'],
    ['capitals', google, ['V=SPF1 INCLUDE:_SPF.GOOGLE.COM ~ALL'], 'good'],
    ['a plus before the include', google, [`v=spf1 +${INCLUDE} -all`], 'good'],
    ['a redirect to the provider', google, ['v=spf1 redirect=_spf.google.com'], 'good'],
    ['several blanks', microsoft, ['v=spf1   include:spf.protection.outlook.com   -all '], 'good'],
    ['nothing', imap, [], 'missing'],
    ['another version', imap, ['v=spf10 mx ~all', 'v=spf2.0/pra mx'], 'missing'],
    ['quotes that were published along', imap, ['"v=spf1 mx ~all"'], 'missing'],
    ['two records', imap, ['v=spf1 mx ~all', 'v=spf1 a ~all'], 'wrong'],
    ['everybody', imap, ['v=spf1 mx +all'], 'wrong'],
    ['everybody, without the plus', google, [`v=spf1 ${INCLUDE} all`], 'wrong'],
    ['nobody', imap, ['v=spf1 -all'], 'wrong'],
    ['no include of the provider', google, ['v=spf1 mx ~all'], 'wrong'],
    ['the include of another', microsoft, [`v=spf1 ${INCLUDE} ~all`], 'wrong'],
    ['an include that is refused', google, [`v=spf1 -${INCLUDE} ~all`], 'wrong'],
    ['an include after all', google, [`v=spf1 mx -all ${INCLUDE}`], 'wrong'],
    ['a name that only begins like it', google, [`v=spf1 ${INCLUDE}.evil.example -all`], 'wrong'],
    ['a redirect elsewhere', google, ['v=spf1 redirect=_spf.team.example'], 'unknown'],
    ['a redirect that all overrules', google, [`v=spf1 ${INCLUDE} redirect=x.example ~all`], 'good'],
  ])('%s', ([, sender, texts, state]) => {
    expect(spf(sender, texts)).toMatchObject({ state, host: DOMAIN })
  })

  test.for<[Sender, string[], string | null]>([
    [google, [], `v=spf1 ${INCLUDE} ~all`],
    [microsoft, [], 'v=spf1 include:spf.protection.outlook.com ~all'],
    [imap, [], null],
    // An app password sends through Google as well.
    [{ ...imap, smtpHost: 'SMTP.gmail.com' }, [], `v=spf1 ${INCLUDE} ~all`],
    [google, ['v=spf1 ip4:192.0.2.1 -all'], `v=spf1 ip4:192.0.2.1 ${INCLUDE} -all`],
    [google, ['v=spf1 mx'], `v=spf1 mx ${INCLUDE}`],
    [google, [`v=spf1 mx -all ${INCLUDE}`], `v=spf1 mx ${INCLUDE} -all`],
    [google, ['v=spf1 mx +all'], `v=spf1 mx ${INCLUDE} ~all`],
    [imap, ['v=spf1 mx all'], 'v=spf1 mx ~all'],
    [imap, ['v=spf1 mx ~all', 'v=spf1 a ~all'], null],
    [google, [`v=spf1 ${INCLUDE} ~all`], null],
  ])('wants of %j with %j: %s', ([sender, texts, wanted]) => {
    expect(spf(sender, texts)!.wanted).toBe(wanted)
  })

  test('what cannot be looked up is unknown', () => {
    expect(spf(google, undefined)).toMatchObject({ state: 'unknown', found: null, wanted: null })
  })

  test('a record of any length is shown in part', () => {
    const { found, state } = spf(imap, [`v=spf1 ${'a '.repeat(2_000)}`])!
    expect(state).toBe('good')
    expect(found).toHaveLength(1_001)
  })
})

describe('DKIM', () => {
  const dkim = (sender: Sender, bySelector: Record<string, Texts>) =>
    judge(sender, { dkim: bySelector })['dkim']

  test.for<[string, string]>([
    ['v=DKIM1; k=rsa; p=MIGf', 'good'],
    ['p=MIGf', 'good'],
    ['V = dkim1 ;P = MIGf', 'good'],
    ['v=DKIM1; k=rsa; p=', 'missing'],
    ['v=DKIM2; p=MIGf', 'missing'],
    ['v=spf1 -all', 'missing'],
    ['', 'missing'],
  ])('a key in %s: %s', ([text, state]) => {
    expect(dkim(imap, { k1: [text] })).toMatchObject({ state })
  })

  test('says which selector has a key, whatever the others do', () => {
    expect(dkim(imap, { google: undefined, s1: ['other', 'v=DKIM1; p=abc'] })).toMatchObject({
      state: 'good',
      host: 's1._domainkey.team.example',
      found: 'v=DKIM1; p=abc',
      text: 'Key found for the selector s1',
    })
  })

  test('none is a warning that says where to turn it on; unless some could not be looked up', () => {
    expect(dkim(google, {})).toMatchObject({
      state: 'missing',
      host: 'google._domainkey.team.example',
      text: 'Not found under the usual names. Turn it on in the Google Admin console.',
      wanted: null,
    })
    expect(dkim(imap, {})).toMatchObject({ state: 'missing', host: '_domainkey.team.example' })
    expect(dkim(imap, { s2: undefined })).toMatchObject({ state: 'unknown' })
  })
})

describe('DMARC', () => {
  const own = (texts: Texts) => judge(imap, { dmarc: [{ domain: DOMAIN, texts }] })['dmarc']

  test.for<[string[], string, string | null]>([
    [['v=DMARC1; p=none'], 'good', null],
    [['V=dmarc1;P=Reject;'], 'good', null],
    [['v = DMARC1 ; p = quarantine ; p = x'], 'good', null],
    [['verification=1', 'v=DMARC1; p=reject'], 'good', null],
    [[], 'missing', 'v=DMARC1; p=none; rua=mailto:Sales@team.example'],
    [['v=DMARC10; p=none'], 'missing', 'v=DMARC1; p=none; rua=mailto:Sales@team.example'],
    [['p=none; v=DMARC1'], 'missing', 'v=DMARC1; p=none; rua=mailto:Sales@team.example'],
    [['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'wrong', null],
    [['v=DMARC1'], 'wrong', 'v=DMARC1; p=none'],
    [
      ['v=DMARC1; rua=mailto:a@b.example?x=1; p=rejct;;'],
      'wrong',
      'v=DMARC1; p=none; rua=mailto:a@b.example?x=1',
    ],
  ])('%j is %s', ([texts, state, wanted]) => {
    expect(own(texts)).toMatchObject({ state, wanted, host: '_dmarc.team.example' })
  })

  test('that of a parent counts if the domain has none, and never that of a registry', () => {
    const below = { ...imap, address: 'sales@mail.team.co.example' }
    const judged = (parent: Texts) =>
      judge(below, {
        dmarc: [
          { domain: 'mail.team.co.example', texts: [] },
          { domain: 'team.co.example', texts: parent },
        ],
      })['dmarc']
    expect(judged(['v=DMARC1; p=reject'])).toMatchObject({
      state: 'good',
      host: '_dmarc.team.co.example',
      text: 'Published for team.co.example, policy reject',
    })
    expect(judged(['v=DMARC1; p=reject; psd=y'])).toMatchObject({
      state: 'missing',
      host: '_dmarc.mail.team.co.example',
    })
    expect(judged(undefined)).toMatchObject({ state: 'unknown' })
  })

  test('the parents of a domain end below the top level, and are few', () => {
    expect(parentsOf('team.example')).toEqual([])
    expect(parentsOf('a.b.team.example')).toEqual(['b.team.example', 'team.example'])
    expect(parentsOf(`${'x.'.repeat(100)}example`)).toHaveLength(5)
  })
})

test('at a public provider nobody has to publish anything', () => {
  for (const record of publicDomain('gmail.com'))
    expect(record).toMatchObject({ state: 'good', text: 'Managed by the provider', wanted: null })
})
