import { ConfigError } from './config-error.ts'

export const AWS_REGION = 'us-east-1'

/** A bucket, and who may use it. `prefix` is the folder in it, without slashes around it; empty: none. */
export type S3Settings = {
  bucket: string
  prefix: string
  accessKeyId: string
  secretAccessKey: string
  region: string
  endpointUrl: string
}

type Get = (name: string) => string | undefined

/**
 * Where files are kept; undefined: in a folder of the disk. Without FILES_URL the other variables are not ours: many
 * machines have them for other programs.
 */
export function readStorage(
  get: Get,
  serviceUrl: (name: string, text: string) => string,
): S3Settings | undefined {
  const text = get('FILES_URL')
  const accessKeyId = get('AWS_ACCESS_KEY_ID')
  const secretAccessKey = get('AWS_SECRET_ACCESS_KEY')
  const region = get('AWS_REGION') ?? AWS_REGION
  const endpoint = get('AWS_ENDPOINT_URL') ?? `https://s3.${region}.amazonaws.com`
  if (text === undefined) return undefined
  const [, bucket, prefix = ''] = FILES_URL.exec(text) ?? []
  if (bucket === undefined || bucket.includes('..') || prefix.split('/').some(part => /^\.+$/.test(part)))
    throw new ConfigError(
      'FILES_URL must be like s3://bucket or s3://bucket/prefix. Leave it unset to keep files in DATA_DIR.',
    )
  if (accessKeyId === undefined) throw missing('AWS_ACCESS_KEY_ID')
  if (secretAccessKey === undefined) throw missing('AWS_SECRET_ACCESS_KEY')
  if (!/^[a-z0-9-]{1,50}$/.test(region))
    throw new ConfigError(`AWS_REGION must be like eu-central-1, not ${region}`)
  const endpointUrl = serviceUrl('AWS_ENDPOINT_URL', endpoint)
  const { username, search, hash } = new URL(endpointUrl)
  if (username || search || hash)
    throw new ConfigError('AWS_ENDPOINT_URL must be a URL without a login, query or fragment.')
  return { bucket, prefix, accessKeyId, secretAccessKey, region, endpointUrl }
}

/** Only what is the same in a URL, so that nothing has to be encoded. */
const FILES_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.-]+(?:\/[\w.-]+)*))?\/?$/

function missing(name: string): ConfigError {
  return new ConfigError(`FILES_URL is set, but ${name} is not.`)
}
