import type { ReactNode } from 'react'
import textClasses from './text.module.css'
import pageClasses from './page.module.css'
import classes from './page-head.module.css'

type Props = {
  title: string
  beside?: ReactNode
  actions?: ReactNode
  /** The title is the name of a record. */
  record?: boolean
}

/** Title and actions of a page. The heading takes the focus on navigation. */
export function PageHead({ title, beside, actions, record = false }: Props) {
  return (
    <header className={classes.head}>
      <h1
        className={`${textClasses.cut} ${classes.title}`}
        data-record={record || undefined}
        tabIndex={-1}
        title={title}
      >
        {title}
      </h1>
      {beside}
      <div className={classes.actions}>{actions}</div>
    </header>
  )
}

/** The column of a text page. */
export function PageBody({ children }: { children: ReactNode }) {
  return (
    <div className={pageClasses.scroll}>
      <div className={pageClasses.reading}>{children}</div>
    </div>
  )
}

type SectionProps = { title: string; about?: ReactNode; actions?: ReactNode; children: ReactNode }

export function Section({ title, about, actions, children }: SectionProps) {
  return (
    <section className={classes.section}>
      <div className={classes.sectionHead}>
        <div>
          <h2>{title}</h2>
          {about && <p className={classes.about}>{about}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}
