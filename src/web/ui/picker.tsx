import { lazy, Suspense, useState, type ComponentType } from 'react'
import type { PickerProps } from './picker-list.tsx'

export type { Option, PickerProps } from './picker-list.tsx'

const PREPARE_MS = 300

/** An open list of options with a search field. Mounted means open. */
export function Picker(props: PickerProps) {
  // Decided once: switching while open would close it.
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

// Preloaded after the page, before anyone can open a list.
setTimeout(() => void load().catch(() => {}), PREPARE_MS)
