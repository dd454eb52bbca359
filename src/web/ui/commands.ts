import { useEffect, useRef } from 'react'
import { createStore } from './store.ts'

export type Command = {
  id: string
  group: 'Go to' | 'Create' | 'This page' | 'Rapport'
  label: string
  /** Search keywords. */
  words?: string
  keys?: string
  run: () => void
}

/** Commands of the current page. */
const offered = createStore<readonly { current: Command[] }[]>([])

export function useCommands(commands: Command[]): void {
  const latest = useRef(commands)
  useEffect(() => {
    latest.current = commands
  })
  useEffect(() => {
    offered.set(now => [...now, latest])
    return () => offered.set(now => now.filter(each => each !== latest))
  }, [])
}

export function offeredCommands(): Command[] {
  return offered.get().flatMap(each => each.current)
}
