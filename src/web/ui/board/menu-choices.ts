import { standing, stepPlace, type Card, type Column, type Place } from './places.ts'

export type MenuChoice = { key: string; label: string; disabled?: boolean; run: () => void }
export type MenuGroup = { title: string; choices: MenuChoice[] }

/** Targets in the menu of a card: other columns and, with a manual order, positions within its own. */
export function menuChoices<C extends Card>(
  columns: readonly Column<C>[],
  id: string,
  ordered: boolean,
  choose: (place: Place | undefined) => void,
): MenuGroup[] {
  const from = standing(columns, id)
  if (!from) return []
  const { key, name, cards } = from.column
  const others = columns
    .filter(column => column.key !== key)
    .map(column => ({
      key: `to ${column.key}`,
      label: column.name,
      run: () => choose({ column: column.key, before: null }),
    }))
  const first = cards[0]!.id
  const within: [label: string, place: Place | undefined][] = [
    ['Up', stepPlace(columns, id, 'up', ordered)],
    ['Down', stepPlace(columns, id, 'down', ordered)],
    ['To the top', first === id ? undefined : { column: key, before: first }],
  ]
  const steps = within.map(([label, place]) => ({
    key: label,
    label,
    disabled: !place,
    run: () => choose(place),
  }))
  return [
    { title: 'Move to', choices: others },
    ...(ordered ? [{ title: `Within ${name}`, choices: steps }] : []),
  ]
}
