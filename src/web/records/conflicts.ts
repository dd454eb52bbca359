import { createStore } from '../ui/store.ts'

/** Two people changed the same fields at the same time: both versions, for the second person to choose from. */
export type Conflict = {
  /** "lead", and the name of this one. */
  one: string
  name: string
  fields: { label: string; mine: string; theirs: string }[]
  choose: (which: Choice) => void
}

export type Choice = 'mine' | 'theirs'

/** The first one is shown; the others wait. */
export const conflicts = createStore<readonly Conflict[]>([])

export function askWhich(about: Omit<Conflict, 'choose'>): Promise<Choice> {
  return new Promise(resolve => {
    const conflict: Conflict = {
      ...about,
      choose: which => {
        conflicts.set(now => now.filter(each => each !== conflict))
        resolve(which)
      },
    }
    conflicts.set(now => [...now, conflict])
  })
}
