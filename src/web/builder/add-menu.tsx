import { Combobox, useCombobox } from '@mantine/core'
import {
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
} from 'react'
import { useBeginIn } from '../ui/begin-in.ts'
import type { Offer } from './canvas-contract.ts'
import { KindIcon } from './kind-icon.tsx'
import { searchOffers } from './offer-search.ts'
import textClasses from '../ui/text.module.css'
import classes from './canvas.module.css'

type Props = {
  offers: readonly Offer[]
  add: (offer: Offer) => void
  close: () => void
  /** The button it opens from. */
  children: ReactElement
}

const groups = [
  { title: 'Clipboard', has: ({ kind }: Offer) => kind === 'paste' },
  { title: 'Actions', has: ({ kind }: Offer) => kind === 'action' },
  { title: 'Logic', has: ({ kind }: Offer) => kind !== 'action' && kind !== 'paste' },
]

/** Everything that can be added at a place, with a search. Mounted means open. */
export function AddMenu({ offers, add, close, children }: Props) {
  const list = useId()
  const [text, setText] = useState('')
  const search = useRef<HTMLInputElement>(null)
  const combobox = useCombobox({ opened: true, onOpenedChange: opened => opened || close() })
  const isSearched = text.trim() !== ''
  const found = searchOffers(offers, text)

  useBeginIn(search, () => combobox.selectFirstOption())
  const chooseFirst = useEffectEvent(() => combobox.selectFirstOption())
  useEffect(() => {
    if (text) chooseFirst()
  }, [text])

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation()
    if (event.key !== 'Escape' && event.key !== 'Tab') return
    event.preventDefault()
    close()
  }

  return (
    <Combobox
      store={combobox}
      onOptionSubmit={key => {
        const offer = offers.find(each => each.key === key)
        if (offer) add(offer)
      }}
      width={330}
      position="bottom-start"
      shadow="md"
      transitionProps={{ duration: 0 }}
      withinPortal
    >
      <Combobox.DropdownTarget>{children}</Combobox.DropdownTarget>
      <Combobox.Dropdown>
        {/* The dropdown itself has the fixed role "presentation". */}
        <div role="dialog" aria-label="Add step">
          <Combobox.Search
            ref={search}
            role="combobox"
            aria-expanded
            aria-controls={list}
            aria-label="Add step"
            placeholder="Search steps"
            value={text}
            onChange={event => setText(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <Combobox.Options id={list} mah={340} className={classes.offers} aria-label="Steps">
            {isSearched && found.map(offer => <OfferLine key={offer.key} offer={offer} />)}
            {!isSearched &&
              groups.map(({ title, has }) => {
                const own = found.filter(has)
                return (
                  own.length > 0 && (
                    <Combobox.Group key={title} label={title}>
                      {own.map(offer => (
                        <OfferLine key={offer.key} offer={offer} />
                      ))}
                    </Combobox.Group>
                  )
                )
              })}
            {found.length === 0 && <Combobox.Empty>No matches</Combobox.Empty>}
          </Combobox.Options>
        </div>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function OfferLine({ offer }: { offer: Offer }) {
  return (
    <Combobox.Option value={offer.key} className={classes.offer}>
      <span className={classes.offerIcon} data-kind={offer.kind}>
        <KindIcon kind={offer.key.replace('action ', '')} size={16} />
      </span>
      <span>
        <span className={classes.offerTitle}>{offer.title}</span>{' '}
        <span className={textClasses.under}>{offer.description}</span>
      </span>
    </Combobox.Option>
  )
}
