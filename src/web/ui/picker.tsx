import { lazy, Suspense, useState, type ComponentType } from 'react'
import type { PickerProps } from './picker-list.tsx'

export type { Option, PickerProps } from './picker-list.tsx'

const PREPARE_MS = 300

/** An open list to choose from, with a field that narrows it. Mounted means open. */
export function Picker(props: PickerProps) {
  // Which of the two it is stays for as long as this one is open: changing it would close it.
  const [List] = useState(() => loaded ?? LazyList)
  return (
    <Suspense fallback={props.children}>
      <List {...props} />
    </Suspense>
  )
}

let loaded: ComponentType<PickerProps> | undefined

const LazyList = lazy(async () => ({ default: await load() }))

async function load(): Promise<ComponentType<PickerProps>> {
  loaded ??= (await import('./picker-list.tsx')).PickerList
  return loaded
}

// A page shows itself without it, and has it before anybody can ask for a list.
setTimeout(() => void load().catch(() => {}), PREPARE_MS)
