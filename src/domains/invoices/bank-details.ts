import { invalid, type Fault } from '#platform/problem.ts'
import type { BankDetails } from './contract.ts'
import { remainder } from './payment-reference.ts'

const IBAN = /^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/
const BIC = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/

/** As they are kept: without the spaces that people write, and with check digits that hold. */
export function tidyBank({ iban, bic, ...rest }: BankDetails): BankDetails {
  const tidy = { ...rest, iban: closedUp(iban), bic: bic && closedUp(bic) }
  const faults: Fault[] = []
  if (!IBAN.test(tidy.iban) || remainder(tidy.iban.slice(4) + tidy.iban.slice(0, 4)) !== 1)
    faults.push({ path: 'bank.iban', message: 'is not a valid IBAN: check for typos' })
  if (tidy.bic && !BIC.test(tidy.bic))
    faults.push({ path: 'bank.bic', message: 'is not a BIC: it has 8 or 11 letters and digits' })
  if (faults.length > 0) throw invalid(faults)
  return tidy
}

function closedUp(text: string): string {
  return text.replace(/\s+/g, '').toUpperCase()
}
