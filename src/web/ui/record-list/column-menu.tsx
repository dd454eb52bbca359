import { Button } from '@mantine/core'
import IconColumns3 from 'icon:columns-3'
import { lazy, Suspense, useState } from 'react'
import type { ColumnMenuProps } from './column-list.tsx'

const ColumnList = lazy(() => import('./column-list.tsx').then(({ ColumnList }) => ({ default: ColumnList })))

/** Shows, orders and resizes columns, also by keyboard. */
export function ColumnMenu(props: ColumnMenuProps) {
  const [wanted, setWanted] = useState(false)
  const button = (
    <Button
      size="xs"
      variant="subtle"
      color="gray"
      leftSection={<IconColumns3 size={16} />}
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={() => setWanted(true)}
    >
      Columns
    </Button>
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <ColumnList {...props} button={button} />
    </Suspense>
  )
}
