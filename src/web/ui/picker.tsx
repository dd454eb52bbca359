import { lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react'

const PREPARE_MS = 300

export type Option = { value: string; label: string; node?: ReactNode }

export type PickerProps = {
  /** What is being chosen, for those who cannot see it. */
  label: string
  options: Option[]
  chosen: readonly string[]
  pick: (value: string) => void
  close: () => void
  /** Tab pressed on an option: take it and go on. */
  tab?: (value: string | null, backwards: boolean) => void
  /** The element below which the list opens. */
  children: ReactNode
  footer?: ReactNode
  width?: number
  /** Whoever searches elsewhere is told the text; its options are shown as they come. */
  search?: (text: string) => void
}

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
