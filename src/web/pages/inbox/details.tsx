import type { ReactNode } from 'react'
import { Beside } from '../../ui/drawer.tsx'

type Props = { title: string; close: () => void; children: ReactNode }

/** Where the rail is, if there is no room beside the thread. Its actions are in the menu of the head. */
export function Details(props: Props) {
  return <Beside {...props} />
}
