import { html, type Html } from '#platform/html.ts'
import { wallTime } from '#platform/zone.ts'
import { monthAfter, type FreeDay, type FreeMonth } from './booking-times.ts'

const DAY_MS = 86_400_000

export type Picker = {
  free: FreeMonth
  /** The guest's, in which days and times are shown. */
  zone: string
  hostZone: string
  day: string | undefined
  /** What the links carry besides what is picked. */
  carried: Readonly<Record<string, string | undefined>>
  /** Whether the browser's zone is taken where none was asked for. */
  guesses: boolean
}

/** A month of days and the times of one of them. Every pick is a link, so that it needs no script. */
export function slotPicker(picker: Picker): Html {
  const { free, zone, day } = picker
  const shown = free.days.find(each => each.day === day) ?? (day === undefined ? free.days[0] : undefined)
  return html`${zoneForm(picker)}
    <div class="picker">
      <section aria-label="Days">${months(picker)} ${grid(picker, shown?.day)}</section>
      <section aria-labelledby="times">
        ${
          shown
            ? html`<h2 id="times">${longDay(shown.day)}</h2>
                <ul class="times">
                  ${shown.times.map(at => html`<li>${timeLink(picker, at)}</li>`)}
                </ul>`
            : html`<h2 id="times">${day === undefined ? 'No free times' : 'No free times on this day'}</h2>
                <p class="quiet">
                  ${free.days.length > 0 ? 'Pick one of the highlighted days.' : nothingIn(free, zone)}
                </p>`
        }
      </section>
    </div>`
}

/** For who came too late: one of these, in the form that was filled in already. */
export function otherChoices(days: readonly FreeDay[], zone: string, hostZone: string): Html {
  return html`<fieldset class="field" id="f-at">
    <legend>Other free times nearby</legend>
    ${days.map(
      ({ day, times }) =>
        html`<p class="quiet">${longDay(day)}</p>
          <div class="choices">
            ${times.map(
              at =>
                html`<label class="tick">
                  <input type="radio" name="at" value="${at}" required />
                  <span>${clock(at, zone)}${otherClock(at, zone, hostZone)}</span>
                </label>`,
            )}
          </div>`,
    )}
    ${days.length === 0 && html`<p class="quiet">No other free times in the next few weeks.</p>`}
  </fieldset>`
}

export function zoneName(zone: string): string {
  return zone.replaceAll('_', ' ')
}

function zoneForm({ zone, carried, guesses, free, day }: Picker): Html {
  const all = zones.includes(zone) ? zones : [zone, ...zones]
  return html`<form class="zone" method="get" ${guesses && html`data-guess="yes"`}>
    <label for="zone">Times in</label>
    <select id="zone" name="zone">
      ${all.map(name => html`<option ${name === zone && html`selected`}>${name}</option>`)}
    </select>
    ${Object.entries({ ...carried, month: free.month, ...(day && { day }) }).map(([name, value]) =>
      value === undefined ? html`` : html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    <button>Show</button>
  </form>`
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter(zone => zone.includes('/'))]

function months(picker: Picker): Html {
  const { free } = picker
  const step = (by: number, sign: string, label: string) =>
    html`<a href="${linkOf(picker, { month: monthAfter(free.month, by) })}" aria-label="${label}">${sign}</a>`
  return html`<div class="months">
    ${free.isFirst ? html`<span></span>` : step(-1, '‹', 'Previous month')}
    <h2>${monthName(free.month)}</h2>
    ${free.isLast ? html`<span></span>` : step(1, '›', 'Next month')}
  </div>`
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

function grid(picker: Picker, shown: string | undefined): Html {
  const { month, days } = picker.free
  const byDay = new Map(days.map(each => [each.day, each]))
  return html`<table>
    <thead>
      <tr>
        ${WEEKDAYS.map(name => html`<th scope="col" abbr="${name}">${name.slice(0, 2)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${weeksOf(month).map(
        week =>
          html`<tr>
            ${week.map(day => html`<td>${day && cell(picker, day, byDay.get(day), day === shown)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

function cell(picker: Picker, day: string, free: FreeDay | undefined, isShown: boolean): Html {
  const number = Number(day.slice(8))
  if (!free) return html`${number}`
  const count = free.times.length
  const label = `${longDay(day)}, ${count === 1 ? 'one time' : `${count} times`}`
  return html`<a
    href="${linkOf(picker, { day })}"
    aria-label="${label}"
    ${isShown && html`aria-current="date"`}
    >${number}</a
  >`
}

/** Monday to Sunday; what is of another month stays empty. */
function weeksOf(month: string): (string | null)[][] {
  const first = Date.parse(`${month}-01T00:00:00Z`)
  const start = first - ((new Date(first).getUTCDay() + 6) % 7) * DAY_MS
  const weeks: (string | null)[][] = []
  for (let monday = start; new Date(monday).toISOString().slice(0, 7) <= month; monday += 7 * DAY_MS)
    weeks.push(
      WEEKDAYS.map((_, at) => {
        const day = new Date(monday + at * DAY_MS).toISOString().slice(0, 10)
        return day.startsWith(month) ? day : null
      }),
    )
  return weeks
}

function timeLink(picker: Picker, at: string): Html {
  const { zone, hostZone } = picker
  return html`<a href="${linkOf(picker, { at })}">${clock(at, zone)}${otherClock(at, zone, hostZone)}</a>`
}

/** The host's, where it shows another time. */
function otherClock(at: string, zone: string, hostZone: string): Html | null {
  const [own, hosts] = [zone, hostZone].map(each => wallTime(Date.parse(at), each).getTime())
  return own === hosts ? null : html`<small>${clock(at, hostZone)} ${cityOf(hostZone)}</small>`
}

function nothingIn({ month, isLast }: FreeMonth, zone: string): string {
  const said = `No free times in ${monthName(month)} (${zoneName(zone)}).`
  return isLast ? said : `${said} Try the next month.`
}

/** Only what differs from what the page has anyway. */
function linkOf({ zone, carried }: Picker, picked: Record<string, string>): string {
  const values = Object.entries({ ...carried, zone, ...picked }).filter(([, value]) => value !== undefined)
  return `?${new URLSearchParams(values as [string, string][])}`
}

/** The day in local time. */
export function longDay(day: string): string {
  return formatted(Date.parse(day), { weekday: 'long', day: 'numeric', month: 'long' })
}

function monthName(month: string): string {
  return formatted(Date.parse(`${month}-01`), { month: 'long', year: 'numeric' })
}

function clock(at: string, zone: string): string {
  return wallTime(Date.parse(at), zone).toISOString().slice(11, 16)
}

function cityOf(zone: string): string {
  return zoneName(zone.slice(zone.lastIndexOf('/') + 1))
}

function formatted(ms: number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' }).format(ms)
}
