import { Button } from '@mantine/core'
import IconBraces from 'icon:braces'
import { lazy, Suspense, useState } from 'react'
import type { OfEvent } from './placeholder-list.tsx'
import classes from './steps.module.css'

const PlaceholderList = lazy(() =>
  import('./placeholder-list.tsx').then(({ PlaceholderList }) => ({ default: PlaceholderList })),
)

type Props = { insert: (text: string) => void; ofEvent?: OfEvent }

/** A menu of placeholders, loaded when first opened. */
export function PlaceholderMenu({ insert, ofEvent }: Props) {
  const [wanted, setWanted] = useState(false)
  const look = {
    size: 'xs',
    variant: 'subtle',
    color: 'gray',
    className: classes.placeholders,
    leftSection: <IconBraces size={14} />,
  } as const
  const button = (
    <Button {...look} aria-haspopup="menu" aria-expanded={false} onClick={() => setWanted(true)}>
      Placeholder
    </Button>
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <PlaceholderList insert={insert} ofEvent={ofEvent}>
        <Button {...look}>Placeholder</Button>
      </PlaceholderList>
    </Suspense>
  )
}
