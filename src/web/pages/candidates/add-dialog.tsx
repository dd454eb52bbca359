import { ActionIcon, Button, Modal, Textarea } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import IconFileTypeCsv from 'icon:file-type-csv'
import IconX from 'icon:x'
import { useRef, useState, type DragEvent } from 'react'
import type { Added } from '#domains/candidates/contract.ts'
import { ADDRESSES_MAX, CRAWL_CREDITS, CSV_BYTES_MAX } from '#domains/candidates/values.ts'
import { paths } from '../../paths.ts'
import { inWords, isProblem } from '../../problem.ts'
import { creditsQuery, useCan } from '../../queries.ts'
import { DialogEnd } from '../../ui/dialog-end.tsx'
import { FocusBack } from '../../ui/focus-back.ts'
import { DialogFault } from '../../ui/form-dialog.tsx'
import { useSubmit } from '../../ui/use-submit.ts'
import { count, plural } from '../../ui/words.ts'
import { faultOf } from '../../records/imports/upload.ts'
import { addressesIn, rowsIn } from '../../records/candidates/addresses.ts'
import { AddReport } from './add-report.tsx'
import { addAddresses, addFile } from '../../records/candidates/candidates-cache.ts'
import dropClasses from '../../ui/drop.module.css'
import classes from './add-dialog.module.css'

type Chosen = { file: File; rows: number }
type Fault = { words: string; lacksCredits: boolean }

/** Adds companies by pasted domains or from a file. Shows the cost before, and the result after. */
export function AddDialog({ close }: { close: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Chosen>()
  const [told, setTold] = useState<Added>()
  const [fault, setFault] = useState<Fault>()
  const addresses = addressesIn(text)
  const tooMany = !chosen && addresses.length > ADDRESSES_MAX
  const sites = chosen ? chosen.rows : addresses.length

  async function add() {
    if (sites === 0 || tooMany) return
    setFault(undefined)
    setTold(await (chosen ? addFile(chosen.file) : addAddresses(addresses)))
    setText('')
    setChosen(undefined)
  }
  const { busy, submit } = useSubmit(add, error =>
    setFault({ words: inWords(error), lacksCredits: isProblem(error, 402) }),
  )

  async function take(file: File | undefined) {
    if (!file) return
    const wrong = faultOf(file, CSV_BYTES_MAX)
    setFault(wrong ? { words: wrong, lacksCredits: false } : undefined)
    if (!wrong) setChosen({ file, rows: rowsIn(await file.text()) })
  }

  return (
    <>
      <FocusBack />
      <Modal opened onClose={close} title="Add candidates" size={560} yOffset="8vh">
        {told ? (
          <AddReport told={told} again={() => setTold(undefined)} close={close} />
        ) : (
          <form className={classes.form} onSubmit={submit} noValidate>
            {chosen ? (
              <p className={classes.chosen}>
                <IconFileTypeCsv size={20} stroke={1.5} aria-hidden />
                <span>{chosen.file.name}</span>
                <ActionIcon aria-label={`Remove ${chosen.file.name}`} onClick={() => setChosen(undefined)}>
                  <IconX size={16} />
                </ActionIcon>
              </p>
            ) : (
              <Textarea
                label="Websites"
                description={`Domains, URLs or email addresses, one per line, up to ${count(ADDRESSES_MAX)} at once.`}
                placeholder={'acme.com\nhttps://www.globex.de/en\nhello@initech.co.uk'}
                rows={7}
                value={text}
                error={tooMany && `Up to ${count(ADDRESSES_MAX)} at once. You entered ${count(sites)}.`}
                data-autofocus
                onChange={event => {
                  setText(event.currentTarget.value)
                  setFault(undefined)
                }}
              />
            )}
            {!chosen && text === '' && <FileChoice take={file => void take(file)} />}
            <Cost sites={tooMany ? 0 : sites} isFile={chosen !== undefined} />
            {fault && (
              <DialogFault>
                {fault.words} {fault.lacksCredits && <Link to={paths.credits}>Get more credits</Link>}
              </DialogFault>
            )}
            <DialogEnd
              verb={
                sites === 0 || tooMany ? 'Add' : chosen ? 'Add from file' : `Add ${plural(sites, 'site')}`
              }
              disabled={sites === 0 || tooMany}
              busy={busy}
              close={close}
            />
          </form>
        )}
      </Modal>
    </>
  )
}

function FileChoice({ take }: { take: (file: File | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)

  function drop(event: DragEvent) {
    event.preventDefault()
    setIsOver(false)
    take(event.dataTransfer.files[0])
  }

  return (
    <div
      className={`${dropClasses.drop} ${classes.drop}`}
      data-over={isOver || undefined}
      onDragOver={event => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <IconFileTypeCsv size={22} stroke={1.5} aria-hidden />
      <p>Or a CSV file with a column of domains, URLs or email addresses.</p>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        className={dropClasses.file}
        aria-label="CSV file"
        tabIndex={-1}
        onChange={event => {
          take(event.currentTarget.files?.[0])
          // So that the same file can be chosen again after a fix.
          event.currentTarget.value = ''
        }}
      />
      <Button size="xs" variant="default" onClick={() => input.current?.click()}>
        Choose a file
      </Button>
    </div>
  )
}

/** Cost and balance. Known sites cost nothing, so this is a maximum. */
function Cost({ sites, isFile }: { sites: number; isFile: boolean }) {
  const canRead = useCan('billing:read')
  const balance = useQuery({ ...creditsQuery, enabled: canRead }).data?.balance
  const wanted = sites * CRAWL_CREDITS
  const lacking = balance !== undefined && wanted > balance
  const isOut = balance === 0
  return (
    <p role="status" className={classes.cost} data-short={lacking || isOut || undefined}>
      {sites === 0
        ? `The first crawl of a site costs ${plural(CRAWL_CREDITS, 'credit')}, refunded if it fails.`
        : `${isFile ? 'Up to ' : ''}${plural(sites, isFile ? 'row' : 'site')}: at most ${plural(wanted, 'credit')}.`}{' '}
      {balance !== undefined && (isOut ? 'No credits left.' : `Balance: ${count(balance)}.`)}{' '}
      {lacking && !isOut && 'Sites beyond your balance are skipped.'}{' '}
      {(lacking || isOut) && <Link to={paths.credits}>Get more credits</Link>}
    </p>
  )
}
