import { Button, TagsInput, TextInput } from '@mantine/core'
import IconExternalLink from 'icon:external-link'
import { useState } from 'react'
import type { FormWithCounts } from '#domains/forms/contract.ts'
import { ALLOWED_DOMAINS_MAX } from '#domains/forms/values.ts'
import { useCan } from '../../queries.ts'
import { PageBody, Section } from '../../ui/page-head.tsx'
import { CopyLine, CopyIcon } from '../../ui/copy-line.tsx'
import { hostedAddress, hostedPath } from './hosted.ts'
import { frameSnippet, linkWithValues, scriptSnippet } from './snippets.ts'
import copy from '../../ui/copy-line.module.css'
import partsClasses from '../../ui/parts.module.css'
import classes from './settings.module.css'
import { forms } from '../../records/forms/store.ts'

const DOMAIN = /^(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/

/** How visitors reach the form: by its link, or embedded in a website. */
export function FormShare({ form }: { form: FormWithCounts }) {
  const address = hostedAddress(form.slug)
  return (
    <PageBody>
      <Section
        title="Link"
        about={
          form.published ? 'Anyone with the link can fill in the form.' : 'Works once the form is published.'
        }
        actions={
          form.published && (
            <Button
              component="a"
              size="xs"
              variant="default"
              href={hostedPath(form.slug)}
              target="_blank"
              rel="noreferrer"
              leftSection={<IconExternalLink size={16} />}
            >
              Open
            </Button>
          )
        }
      >
        <div className={copy.lines}>
          <CopyLine label="URL" value={address} />
        </div>
      </Section>
      <Section
        title="Embed on your website"
        about="Paste this where the form should appear. The script adjusts its height and records where visitors came from."
      >
        <Snippet name="Script" text={scriptSnippet(form)} />
        <Snippet name="Iframe, if scripts are not allowed" text={frameSnippet(form)} />
        <DomainsInput form={form} />
      </Section>
      <Section
        title="Prefill by URL"
        about="URL parameters fill hidden fields and fields with prefill turned on. utm_… parameters are saved with the submission and the lead."
      >
        <div className={copy.lines}>
          <CopyLine label="Example" value={linkWithValues(form)} />
        </div>
      </Section>
    </PageBody>
  )
}

function Snippet({ name, text }: { name: string; text: string }) {
  return (
    <div className={classes.snippet}>
      <div className={classes.snippetHead}>
        <h3 className={classes.heading}>{name}</h3>
        <CopyIcon what={name} value={text} />
      </div>
      <pre className={`${partsClasses.inert} ${classes.code}`}>{text}</pre>
    </div>
  )
}

/** Empty: all domains are allowed. */
function DomainsInput({ form }: { form: FormWithCounts }) {
  const canWrite = useCan('forms:write')
  const [fault, setFault] = useState<string>()
  function set(domains: string[]) {
    const allowed_domains = [...new Set(domains.map(domainIn))]
    const wrong = allowed_domains.find(domain => !DOMAIN.test(domain))
    setFault(wrong && `${wrong} is not a valid domain`)
    if (wrong === undefined) void forms.change(form.id, { allowed_domains }, 'Changed the allowed domains')
  }
  if (!canWrite) {
    const text = form.allowed_domains.join(', ') || 'All domains'
    return <TextInput label="Allowed domains" maw={480} readOnly value={text} />
  }
  return (
    <TagsInput
      label="Allowed domains"
      description="Like www.example.com or *.example.com. Leave empty to allow all."
      maw={480}
      value={form.allowed_domains}
      maxTags={ALLOWED_DOMAINS_MAX}
      error={fault}
      onChange={set}
    />
  )
}

/** People paste from the address bar. */
function domainIn(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')
}
