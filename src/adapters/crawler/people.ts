import type { FactSheet } from './fact.ts'
import type { Page } from './page.ts'

const NAME_LENGTH_MAX = 50
const ROLE_LENGTH_MAX = 80
const PEOPLE_MAX = 50

const ROLE =
  /(?<!\p{L})(?:c[efotimrp]o|chief|founder|co-?founder|owner|partner|president|chair(?:man|woman|person)?|director|head|lead|manager|engineer|developer|designer|architect|consultant|analyst|specialist|officer|assistant|accountant|sales|marketing|operations|support|lawyer|attorney|counsel|doctor|professor|researcher|coach|trainer|editor|recruiter|gr[uü]nder(?:in)?|gesch[aä]ftsf[uü]hr(?:er|erin|ung)|gesch[aä]ftsleitung|inhaber(?:in)?|leit(?:er|erin|ung)|vorstand|prokurist(?:in)?|berater(?:in)?|entwickler(?:in)?|assistenz|vertrieb|buchhaltung|rechtsanw[aä]lt(?:in)?|g[eé]rant|fondateur|fondatrice|directeur|directrice|responsable|fundador|director|gerente|titolare|amministratore|eigenaar|oprichter)(?!\p{L})/iu
const NAME =
  /^(?:(?:[Dd]r|[Pp]rof|Mr|Mrs|Ms|Ing|Dipl|Mag)\.?(?:-\p{L}+\.?)?\s+)*\p{Lu}[\p{L}'’-]+(?:\s+(?:(?:von|van|de|da|di|del|der|den|la|le|bin|al|zu)\s+)*(?:\p{Lu}\.|\p{Lu}[\p{L}'’-]+)){1,3}$/u
/** What begins with capital letters on many pages and is nobody. */
const NOBODY =
  /(?<!\p{L})(?:our|the|team|about|contact|us|we|meet|management|company|news|blog|career|careers|join|privacy|policy|terms|service|services|products?|solutions?|sales|marketing|support|office|legal|read|more|learn|view|unser|unsere|über|kontakt|impressum|datenschutz|leitung|gmbh|inc|ltd|llc|ag)(?!\p{L})/iu
const NAMED_IN_LINE =
  /(?:^|[\s(])(Gesch[aä]ftsf[uü]hr(?:er|erin|ung)|Vertretungsberechtigter? Gesch[aä]ftsf[uü]hrer(?:in)?|Vertreten durch|Inhaber(?:in)?|Managing Directors?|CEO|Founders?|Owner|G[eé]rant|Directeur de la publication|Amministratore)\s*(?:\([^)]{1,30}\))?\s*:\s*([^:|;]{4,120})/u

/** People shown on a team page with their role, and people an imprint must name. */
export function findPeople({ blocks }: Page, isTeamPage: boolean, sheet: FactSheet): void {
  let people = 0
  const add = (name: string, role: string) => {
    if (people++ < PEOPLE_MAX) sheet.add('person', name, role)
  }
  blocks.forEach(({ text, isHeading }, at) => {
    const next = blocks[at + 1]
    if (text.length <= 200 && text.includes(':')) {
      const [, role, names] = NAMED_IN_LINE.exec(text) ?? []
      for (const name of names?.split(/,|\s(?:und|and|et|e|y|&)\s/) ?? [])
        if (isName(name.trim())) add(name.trim(), role!)
    }
    if (!isTeamPage || !next || !isName(text)) return
    const isRole = next.text.length <= ROLE_LENGTH_MAX && ROLE.test(next.text) && !isName(next.text)
    if (isRole && (isHeading || !next.isHeading)) add(text, next.text)
  })
}

function isName(text: string): boolean {
  return text.length <= NAME_LENGTH_MAX && NAME.test(text) && !NOBODY.test(text) && !ROLE.test(text)
}
