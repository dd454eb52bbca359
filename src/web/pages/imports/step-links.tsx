import { Link } from '@tanstack/react-router'
import { patterns } from '../../paths.ts'
import { stepNames, steps, type Step } from './search.ts'
import classes from './imports.module.css'

type Props = { id: string; step: Step; isReady: boolean }

/** The steps of the import. They are links until it is started. */
export function StepLinks({ id, step, isReady }: Props) {
  return (
    <nav aria-label="Import steps">
      <ol className={classes.steps}>
        {steps.map(name => {
          const isOpen = isReady && name !== 'progress' && name !== 'report'
          return (
            <li key={name} data-here={name === step || undefined}>
              {isOpen ? (
                <Link
                  to={patterns.import}
                  params={{ id }}
                  search={{ step: name }}
                  activeProps={{}}
                  aria-current={name === step ? 'step' : undefined}
                >
                  {stepNames[name]}
                </Link>
              ) : (
                <span aria-current={name === step ? 'step' : undefined}>{stepNames[name]}</span>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
