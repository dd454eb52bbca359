import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { FocusBack } from './focus-back.ts'
import { Bar } from './states.tsx'
import factsClasses from './facts.module.css'
import classes from './drawer.module.css'

type Props = { title: string; close: () => void; children: ReactNode }

/** Details of one row, beside the list. Mounted means open. */
export function Beside({ title, close, children }: Props) {
  return (
    <>
      <FocusBack />
      <Drawer
        opened
        onClose={close}
        position="right"
        size={600}
        title={title}
        closeButtonProps={{ 'aria-label': 'Close' }}
        transitionProps={{ duration: 120 }}
        overlayProps={{ backgroundOpacity: 0.25 }}
      >
        {children}
      </Drawer>
    </>
  )
}

export function BesideWaiting({ label }: { label: string }) {
  return (
    <div role="status" aria-busy aria-label={label} className={classes.parts}>
      <Bar width={110} height={22} />
      <Bar width="100%" height={40} />
      <Bar width="100%" height={96} />
      <Bar width="100%" height={180} />
    </div>
  )
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.part}>
      <div className={classes.partHead}>
        <h3 className={classes.partTitle}>{title}</h3>
      </div>
      {children}
    </section>
  )
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className={`${factsClasses.facts} ${classes.facts}`}>{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
