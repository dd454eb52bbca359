import type { ReactNode } from 'react'
import { Bar } from '../../ui/states.tsx'
import classes from './home.module.css'

type Props = { title: string; aside?: ReactNode; rows: number; children: ReactNode | undefined }

/** One section of the page. While it loads, it is as tall as it will be. */
export function Panel({ title, aside, rows, children }: Props) {
  const id = `home-${title.toLowerCase().replaceAll(' ', '-')}`
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <div className={classes.head}>
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children ?? (
        <div role="status" aria-busy aria-label={`Loading ${title.toLowerCase()}`}>
          {Array.from({ length: rows }, (_, row) => (
            <div key={row} className={classes.waiting}>
              <Bar width={`${45 + ((row * 23) % 40)}%`} />
            </div>
          ))}
        </div>
      )}
    </section>
  )
}
