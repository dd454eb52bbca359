import { Checkbox } from '@mantine/core'
import type { Agent, AgentChange } from '#domains/agents/contract.ts'
import { AMOUNT_WORDS } from '../../ui/amount.ts'
import { CopyLine } from '../../ui/copy-line.tsx'
import { CurrencySelect } from '../../ui/currency-select.tsx'
import { readPrice } from '../../ui/decimal.ts'
import { Section } from '../../ui/page-head.tsx'
import { SavedInput } from '../../ui/saved-input.tsx'
import textClasses from '../../ui/text.module.css'
import classes from './agent-page.module.css'
import copy from '../../ui/copy-line.module.css'
import { agents } from '../../records/agents/store.ts'

const DEFAULT_CURRENCY = 'USD'
const DESCRIPTION_LENGTH_MAX = 20_000

/** Whether anyone can buy it, at what price, and how. */
export function AgentOffer({ agent, canWrite }: { agent: Agent; canWrite: boolean }) {
  const { id, name, price, listed } = agent
  const currency = price?.currency ?? DEFAULT_CURRENCY
  const set = (change: AgentChange, say: string) => void agents.change(agent.id, change, say)

  function setAmount(text: string): string | undefined {
    if (text.trim() === '') {
      // Without a price it is not for sale.
      set({ price: null, listed: false }, `${name} is no longer for sale`)
      return undefined
    }
    const amount = readPrice(text)
    if (amount === undefined || Number(amount) === 0) return AMOUNT_WORDS
    set({ price: { amount, currency } }, `Updated the price of ${name}`)
    return undefined
  }

  return (
    <Section
      title="For sale"
      about="Buyers get a copy of its current instructions, greeting, voice, tools and outbound rules. Your phone numbers and custom tools stay yours."
    >
      <div className={classes.narrow}>
        <SavedInput
          label="Description"
          value={agent.description ?? ''}
          canWrite={canWrite}
          rows={3}
          maxLength={DESCRIPTION_LENGTH_MAX}
          placeholder="Shown to buyers in the catalogue"
          save={text => set({ description: text.trim() || null }, `Updated the description of ${name}`)}
        />
        <div className={classes.price}>
          <SavedInput
            label="Price"
            value={price?.amount ?? ''}
            canWrite={canWrite}
            placeholder="Not for sale"
            save={setAmount}
          />
          <CurrencySelect
            value={currency}
            readOnly={!canWrite}
            disabled={!price}
            set={next =>
              price && set({ price: { ...price, currency: next } }, `Updated the price of ${name}`)
            }
          />
        </div>
        <Checkbox
          label="Listed in the catalogue"
          description={price ? 'Anyone can find and buy it there, without an account.' : 'Set a price first.'}
          checked={listed}
          disabled={!canWrite || !price}
          onChange={event =>
            set(
              { listed: event.currentTarget.checked },
              event.currentTarget.checked
                ? `${name} is now in the catalogue`
                : `${name} is no longer in the catalogue`,
            )
          }
        />
        {listed && (
          <>
            <p className={textClasses.dim}>
              <a href="/agents/catalogue" target="_blank" rel="noreferrer">
                Open the catalogue
              </a>{' '}
              to see it as buyers do. Programs start a purchase with this request:
            </p>
            <div className={copy.lines}>
              <CopyLine label="Try it" value={`curl -i ${purchaseAddress(id)}`} />
            </div>
          </>
        )}
      </div>
    </Section>
  )
}

function purchaseAddress(id: string): string {
  return `${location.origin}/api/v1/agent/purchase/${id}`
}
