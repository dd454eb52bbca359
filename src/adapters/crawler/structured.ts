import { addPhone, mailsIn } from './contacts.ts'
import { lineOf, type FactSheet } from './fact.ts'
import { addSocial } from './social.ts'

const DEPTH_MAX = 8
const NODES_MAX = 500
const VALUES_MAX = 10
const SCRIPT_LENGTH_MAX = 300_000

export type Thing = Record<string, unknown>

/** What a site calls itself or somebody in it; a list of articles or products tells nothing of that. */
const ORGANIZATION =
  /^(?:Organization|Corporation|Company|NGO|LocalBusiness|OnlineBusiness|OnlineStore|EducationalOrganization|CollegeOrUniversity|School|GovernmentOrganization|MedicalOrganization|NewsMediaOrganization|SportsOrganization|ResearchOrganization|Airline|Consortium|LibrarySystem|Project|FundingScheme)$/
/** Kinds of business by the names they have in schema.org; their words are read off their names. */
const BUSINESS =
  /^(?:\w*(?:Store|Shop|Service|Business|Agency|Dealer|Repair|Rental|Salon|Spa|Clinic|Office|Contractor|Restaurant|Bar|Cafe\w*|Station|Center|Centre|Club|Gym|Company)|Attorney|Notary|Dentist|Physician|Hospital|Pharmacy|Optician|Bakery|Brewery|Winery|Distillery|FastFoodRestaurant|Hotel|Motel|Hostel|Resort|BedAndBreakfast|Campground|Electrician|Plumber|Locksmith|HousePainter|Florist|Library|Museum|MovieTheater|TravelAgency|RealEstateAgent|InsuranceAgency|BankOrCreditUnion|VeterinaryCare|DryCleaningOrLaundry|ChildCare|Preschool|SelfStorage|EmploymentAgency|AnimalShelter)$/
const NOT_A_BUSINESS =
  /^(?:Service|Store|Product|WebSite|WebPage|ContactPage|AboutPage|Offer|OfferCatalog|Person|ImageObject)$/
/** Reported as they are, under their own names. */
const TOLD_AS_THEY_ARE = [
  'legalName',
  'alternateName',
  'slogan',
  'foundingDate',
  'numberOfEmployees',
  'vatID',
  'taxID',
  'duns',
  'leiCode',
  'naics',
  'isicV4',
  'priceRange',
  'openingHours',
  'areaServed',
  'currenciesAccepted',
] as const

/** JSON-LD in scripts; anything invalid is skipped. */
export function thingsIn(scripts: readonly string[]): Thing[] {
  const things: Thing[] = []
  for (const script of scripts) {
    if (script.length > SCRIPT_LENGTH_MAX) continue
    try {
      collect(
        JSON.parse(script.replace(/^\s*(?:<!--|\/\*<!\[CDATA\[\*\/)|(?:-->|\/\*\]\]>\*\/)\s*$/g, '')),
        things,
      )
    } catch {
      // Broken by its author: the rest of the page holds.
    }
  }
  return things
}

/** The organization that a page speaks of: the first that has a name. */
export function organizationIn(things: readonly Thing[]): Thing | undefined {
  const found = things.filter(isOrganization)
  return found.find(({ name }) => lineOf(name)) ?? found[0]
}

export function findStructured(things: readonly Thing[], sheet: FactSheet): void {
  const organization = organizationIn(things)
  for (const thing of things) {
    if (typesOf(thing).includes('Person')) person(thing, sheet)
    else if (isOrganization(thing)) contactsOf(thing, sheet)
  }
  if (!organization) return
  for (const type of typesOf(organization)) sheet.add('structured', type, '@type')
  for (const property of TOLD_AS_THEY_ARE)
    for (const value of valuesOf(organization[property])) sheet.add('structured', textOf(value), property)
  for (const role of ['founder', 'founders', 'employee', 'employees', 'member'])
    for (const value of valuesOf(organization[role]))
      if (typeof value === 'string') sheet.add('person', value, role.replace(/s$/, ''))
      else if (isThing(value)) person(value, sheet, role.startsWith('founder') ? 'founder' : null)
}

/** What the organization does, by its own words and by its kind. */
export function industriesIn(things: readonly Thing[]): string[] {
  const organization = organizationIn(things)
  if (!organization) return []
  const told = ['industry', 'knowsAbout', 'servesCuisine'].flatMap(name =>
    valuesOf(organization[name]).map(textOf),
  )
  const kinds = typesOf(organization)
    .filter(type => !ORGANIZATION.test(type))
    .map(type => type.replace(/([a-z])([A-Z])/g, '$1 $2'))
  return [...told, ...kinds].filter(word => word !== '')
}

/** Everything with a type, at any reasonable depth. */
function collect(root: unknown, things: Thing[]): void {
  const waiting: { value: unknown; depth: number }[] = [{ value: root, depth: 0 }]
  for (let nodes = 0; waiting.length > 0 && nodes < NODES_MAX; nodes++) {
    const { value, depth } = waiting.shift()!
    if (typeof value !== 'object' || value === null) continue
    if (!Array.isArray(value) && typesOf(value as Thing).length > 0) things.push(value as Thing)
    if (depth === DEPTH_MAX) continue
    for (const inner of Object.values(value).slice(0, NODES_MAX))
      if (typeof inner === 'object' && inner !== null) waiting.push({ value: inner, depth: depth + 1 })
  }
}

function isOrganization(thing: Thing): boolean {
  return typesOf(thing).some(
    type => ORGANIZATION.test(type) || (BUSINESS.test(type) && !NOT_A_BUSINESS.test(type)),
  )
}

/** Without the address of the vocabulary, where somebody wrote it out. */
function typesOf(thing: Thing): string[] {
  return valuesOf(thing['@type'])
    .filter(type => typeof type === 'string')
    .map(type => type.split(/[/:#]/).pop()!)
}

function contactsOf(thing: Thing, sheet: FactSheet): void {
  const points = [
    thing,
    ...['contactPoint', 'contactPoints'].flatMap(name => valuesOf(thing[name]).filter(isThing)),
  ]
  for (const point of points) {
    for (const mail of valuesOf(point['email']))
      for (const found of mailsIn(lineOf(mail))) sheet.add('email', found)
    for (const number of valuesOf(point['telephone'])) addPhone(sheet, lineOf(number), false)
    for (const number of valuesOf(point['faxNumber'])) addPhone(sheet, lineOf(number), true)
  }
  for (const address of valuesOf(thing['address'])) sheet.add('address', addressOf(address))
  for (const place of valuesOf(thing['location']).filter(isThing))
    for (const address of valuesOf(place['address'])) sheet.add('address', addressOf(address))
  for (const link of valuesOf(thing['sameAs'])) addSocial(sheet, lineOf(link))
}

function person(thing: Thing, sheet: FactSheet, role: string | null = null): void {
  const name =
    lineOf(thing['name']) ||
    [thing['givenName'], thing['familyName']]
      .map(part => lineOf(part))
      .join(' ')
      .trim()
  if (!name || name.length > 80) return
  sheet.add('person', name, textOf(valuesOf(thing['jobTitle'])[0]) || role)
  // By its label a mail is known to be that person's own.
  for (const mail of valuesOf(thing['email']))
    for (const found of mailsIn(lineOf(mail))) sheet.add('email', found, name)
}

function addressOf(value: unknown): string {
  if (!isThing(value)) return lineOf(value)
  const part = (name: string) => textOf(valuesOf(value[name])[0])
  const town = [part('postalCode'), part('addressLocality')].filter(Boolean).join(' ')
  return [part('streetAddress'), town, part('addressRegion'), part('addressCountry')]
    .filter(Boolean)
    .join(', ')
}

/** One line from whatever represents it: a text, a number, an object with a name or value, a range. */
function textOf(value: unknown): string {
  if (!isThing(value)) return lineOf(value)
  const { name, value: amount, minValue, maxValue } = value
  if (minValue !== undefined && maxValue !== undefined) return `${lineOf(minValue)}–${lineOf(maxValue)}`
  return lineOf(name) || lineOf(amount) || lineOf(minValue) || lineOf(maxValue)
}

function valuesOf(value: unknown): unknown[] {
  return value === undefined || value === null ? [] : [value].flat().slice(0, VALUES_MAX)
}

function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
