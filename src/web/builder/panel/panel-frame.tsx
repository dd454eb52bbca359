import { CloseButton, Drawer } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useEffectEvent, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { NARROW } from '../../ui/narrow.ts'
import pageClasses from '../../ui/page.module.css'
import classes from './panel.module.css'

type Props = {
  title: string
  /** The branch the step is in. */
  place?: string
  close: () => void
  /** Returns the focus to the canvas without closing. */
  leave: () => void
  /** Rises each time the panel should get the focus. */
  wanted: number
  children: ReactNode
}

/** Next to the canvas or, on narrow screens, over it. */
export function PanelFrame(props: Props) {
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  return isNarrow ? <Over {...props} /> : <Beside {...props} />
}

function Over({ title, place, close, children }: Props) {
  return (
    <Drawer
      opened
      onClose={close}
      position="bottom"
      size="88%"
      title={title}
      transitionProps={{ duration: 120 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ body: classes.drawerBody ?? '' }}
    >
      <div className={`${pageClasses.scroll} ${classes.scroll}`}>
        {place && <p className={classes.place}>{place}</p>}
        {children}
      </div>
    </Drawer>
  )
}

function Beside({ title, place, close, leave, wanted, children }: Props) {
  const id = useId()
  const scroll = useRef<HTMLDivElement>(null)
  const begin = useEffectEvent(() => {
    if (wanted === 0) return
    const first =
      scroll.current?.querySelector<HTMLElement>('[aria-invalid=true]:not(:disabled)') ??
      scroll.current?.querySelector<HTMLElement>(
        'input:not([type=hidden]):not(:disabled), textarea:not(:disabled)',
      )
    first?.focus()
    if (first instanceof HTMLInputElement && first.type === 'text') first.select()
  })
  useEffect(() => {
    // The content may render a moment after the panel.
    const frame = requestAnimationFrame(() => begin())
    return () => cancelAnimationFrame(frame)
  }, [wanted])

  function onKeyDown(event: KeyboardEvent) {
    const isOpenList = (event.target as HTMLElement).getAttribute('aria-expanded') === 'true'
    if (event.key !== 'Escape' || event.defaultPrevented || isOpenList) return
    event.preventDefault()
    leave()
  }

  return (
    <section className={classes.panel} aria-labelledby={id} onKeyDown={onKeyDown}>
      <div className={classes.head}>
        <div className={classes.titles}>
          <h2 className={classes.title} id={id}>
            {title}
          </h2>
          {place && <p className={classes.place}>{place}</p>}
        </div>
        <CloseButton aria-label="Close panel" onClick={close} />
      </div>
      <div className={`${pageClasses.scroll} ${classes.scroll}`} ref={scroll}>
        {children}
      </div>
    </section>
  )
}
