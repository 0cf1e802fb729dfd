// Command lines of the clouds' clients with the judgement that is expected. Written from memory of the vendors' references
// (AWS, gcloud, Azure, kubectl, helm, docker, doctl, oci, ibmcloud, hcloud, linode-cli, terraform), which were not looked up
// line by line; commands with a streaming answer are by botocore's descriptions. None is ever run.

/** They only read, within the settings of the machine. */
export const cloudReads = `
aws sts get-caller-identity
aws ec2 describe-instances
aws ec2 describe-instances --instance-ids i-0a1 i-0b2 i-0c3
aws ec2 describe-instances --filters Name=instance-state-name,Values=running Name=tag:app,Values=shop
aws ec2 describe-volumes --volume-ids vol-1 --query Volumes[].State
aws ec2 describe-security-groups --group-names shop db
aws ec2 get-console-output --instance-id i-1
aws elbv2 describe-target-health --target-group-arn arn:aws:elasticloadbalancing:eu-west-1:1:targetgroup/shop/1
aws elbv2 describe-listeners --load-balancer-arn arn:x
aws elbv2 describe-rules --listener-arn arn:x
aws rds describe-db-instances --db-instance-identifier shop
aws rds describe-events --source-type db-instance --duration 60
aws ecs describe-services --cluster shop --services web worker
aws ecs describe-tasks --cluster shop --tasks a b c
aws ecs describe-task-definition --task-definition shop:12
aws eks describe-cluster --name shop
aws eks list-nodegroups --cluster-name shop
aws autoscaling describe-scaling-activities --auto-scaling-group-name shop
aws cloudwatch get-metric-statistics --namespace AWS/EC2 --metric-name CPUUtilization --dimensions Name=InstanceId,Value=i-1 --statistics Average Maximum --period 60 --start-time 2026-11-28T00:00:00Z --end-time 2026-11-28T01:00:00Z
aws cloudwatch describe-alarms --alarm-names a b --state-value ALARM
aws logs tail /ecs/shop --since 30m
aws logs describe-log-groups --log-group-name-prefix /ecs
aws logs get-log-events --log-group-name x --log-stream-name y
aws lambda list-functions
aws lambda get-function-configuration --function-name shop
aws s3 ls
aws s3 ls s3://logs-of-shop/2026/ --recursive
aws s3api list-buckets
aws s3api get-bucket-policy --bucket b
aws iam list-users
aws iam get-role --role-name x
aws route53 list-resource-record-sets --hosted-zone-id Z1
aws secretsmanager list-secrets
aws secretsmanager describe-secret --secret-id x
aws ssm describe-parameters
aws kms describe-key --key-id x
aws dynamodb describe-table --table-name x
aws sqs list-queues
aws cloudformation describe-stack-events --stack-name shop
aws codepipeline get-pipeline-state --name x
aws medialive describe-channel-placement-group --cluster-id x --channel-placement-group-id y
gcloud compute instances list --filter=status=RUNNING
gcloud compute instances describe web-1 --zone=europe-west1-b
gcloud compute backend-services get-health shop --global
gcloud container clusters list
gcloud container clusters describe shop --region=europe-west1
gcloud sql instances describe shop
gcloud run services describe shop --region=europe-west1
gcloud logging read severity>=ERROR --freshness=1h --limit=50
gcloud run services logs read shop --region=europe-west1
gcloud builds log 1234
gcloud pubsub subscriptions list
gcloud storage objects list gs://bucket/dir
az account show
az vm list -g shop
az vm show -g shop -n web-1 -d
az vm get-instance-view -g shop -n web-1
az aks show -g shop -n prod
az monitor metrics list --resource web-1 --resource-group shop --resource-type Microsoft.Compute/virtualMachines --metrics Percentage --aggregation Average Maximum
az monitor activity-log list --offset 2h
az network nsg rule list -g shop --nsg-name web
az sql db show -g shop -s db -n shop
az webapp show -g shop -n web
kubectl get pods -n shop
kubectl describe pod web-1 -n shop
kubectl logs deploy/web -n shop --tail=100 --previous
kubectl top pods -A
kubectl rollout status deploy/web -n shop
kubectl config current-context
helm list -A
helm history shop -n shop
docker ps -a
docker logs web --since 10m
terraform version
`;

/** They print a password, a key or a token, or what usually holds one. */
export const cloudSecrets = `
aws secretsmanager get-secret-value --secret-id x
aws secretsmanager batch-get-secret-value --secret-id-list a b
aws secretsmanager get-random-password
aws ssm get-parameter --name /db/password --with-decryption
aws ssm get-parameters --names a b --with-decryption
aws ssm get-parameters-by-path --path / --recursive --with-decryption
aws ssm get-parameter-history --name x --with-decryption
aws sts get-session-token
aws sts get-federation-token --name x
aws sts assume-role --role-arn x --role-session-name y
aws sso get-role-credentials --role-name x --account-id y --access-token z
aws ecr get-login-password
aws ecr get-authorization-token
aws codeartifact get-authorization-token --domain x
aws rds generate-db-auth-token --hostname x --port 5432 --username y
aws redshift get-cluster-credentials --db-user x --cluster-identifier y
aws redshift-serverless get-credentials --workgroup-name x
aws iam create-access-key --user-name x
aws iam list-virtual-mfa-devices
aws cognito-identity get-credentials-for-identity --identity-id x
aws cognito-idp describe-user-pool-client --user-pool-id x --client-id y
aws cognito-idp list-user-pool-client-secrets --user-pool-id x --client-id y
aws lightsail get-relational-database-master-user-password --relational-database-name x
aws lightsail download-default-key-pair
aws kms decrypt --ciphertext-blob x
aws kms generate-data-key --key-id x
aws ec2 get-password-data --instance-id x
aws ec2 describe-instance-attribute --instance-id x --attribute userData
aws ec2 describe-launch-template-versions --launch-template-id x
aws autoscaling describe-launch-configurations
aws ec2 describe-vpn-connections
aws ds describe-directories
aws dms describe-endpoints
aws directconnect describe-virtual-interfaces
aws wafv2 list-api-keys --scope REGIONAL
aws appsync list-api-keys --api-id x
aws location describe-key --key-name x
aws ivs-realtime get-ingest-configuration --arn x
aws logs filter-log-events --log-group-name x --unmask
aws logs get-log-events --log-group-name x --log-stream-name y --unm
aws codepipeline list-webhooks
aws amplify list-apps
aws appmesh describe-virtual-node --mesh-name x --virtual-node-name y
aws storagegateway describe-chap-credentials --target-arn x
aws configure export-credentials
aws configure list
aws eks get-token --cluster-name x
aws configure get aws_secret_access_key
gcloud auth print-access-token
gcloud auth print-identity-token
gcloud auth application-default print-access-token
gcloud secrets versions access latest --secret=x
gcloud iam service-accounts keys create key.json --iam-account=x
gcloud container clusters get-credentials x
gcloud sql generate-login-token
gcloud redis instances get-auth-string x
gcloud config config-helper
gcloud storage cat gs://b/x
az keyvault secret show --vault-name v -n x
az keyvault secret list-versions --vault-name v -n x
az account get-access-token
az storage account keys list -n x
az storage account show-connection-string -n x
az storage account generate-sas --account-name x
az cosmosdb keys list -n x -g y
az cosmosdb list-connection-strings -n x -g y
az redis list-keys -n x -g y
az acr credential show -n x
az functionapp keys list -n x -g y
az webapp deployment list-publishing-credentials -n x -g y
az webapp config appsettings list -n x -g y
az aks get-credentials -n x -g y
az servicebus namespace authorization-rule keys list --namespace-name x -n y -g z
az monitor log-analytics workspace get-shared-keys -n x -g y
az search admin-key show --service-name x -g y
az network vpn-connection shared-key show --connection-name x -g y
kubectl get secret db -o yaml
kubectl config view --raw
kubectl create token x
helm get values shop
doctl auth token
doctl registry docker-config
oci secrets secret-bundle get --secret-id x
ibmcloud iam oauth-tokens
hcloud context active
linode-cli profile token-view 1
terraform output -json
terraform state pull
`;

/** A word behind the verb, or the kind of the answer, names a file to write; or a value is read from a file and sent. */
export const cloudFiles = `
aws medialive describe-input-device-thumbnail --input-device-id x --accept image/jpeg out.jpg
aws medialive describe-input-device-thumbnail out.jpg
aws apigateway get-export --rest-api-id x --stage-name y --export-type swagger out.json
aws apigateway get-sdk --rest-api-id x --stage-name y --sdk-type java out.zip
aws s3api get-object --bucket b --key k out
aws lambda invoke --function-name x out
aws codeartifact get-package-version-asset --domain a --repository b --format npm --package c --package-version 1 --asset d out
aws kinesis-video-media get-media --stream-name x --start-selector y out
aws glacier get-job-output --account-id - --vault-name v --job-id j out
aws ebs get-snapshot-block --snapshot-id x --block-index 0 --block-token y out
aws cloudfront get-function --name x out
aws appconfig get-configuration --application a --environment b --configuration c --client-id d out
aws ec2 describe-instances out.json
aws ec2 describe-instances --max-items 5 out.json
aws ec2 describe-instances --output=json out.json
aws ec2 describe-instances -- out.json
aws rds describe-db-instances --db-instance-identifier x y
aws s3 ls s3://a s3://b
aws logs tail /a /b
aws ec2 describe-instances --cli-input-json file://x
gcloud compute instances describe a b
gcloud compute instances list out.json
gcloud logging read severity=ERROR out.json
gcloud compute instances list --flags-file=x
az vm list out.json
az vm show -g shop -n web-1 out.json
az vm list --query @x
az monitor log-analytics query -w x --analytics-query @/etc/shadow
kubectl cluster-info dump --output-directory=/tmp/x
helm template shop --output-dir /tmp/x
docker save web -o /tmp/web.tar
`;

/** They leave the account, region, cluster or server that the settings choose: asked about, whatever a rule allows. */
export const cloudLeaves = `
aws ec2 describe-instances --region us-east-1
aws ec2 describe-instances --region=us-east-1
aws --profile prod ec2 describe-instances
aws --prof prod ec2 describe-instances
aws ec2 terminate-instances --instance-ids i-1 --region us-east-1
AWS_PROFILE=prod aws ec2 describe-instances
env AWS_REGION=us-east-1 aws ec2 describe-instances
export AWS_DEFAULT_PROFILE=prod
gcloud compute instances list --project=other
gcloud --account=x compute instances list
gcloud compute instances list --configuration=prod
gcloud compute instances list --impersonate-service-account=x
gcloud compute instances describe projects/other/zones/z/instances/web
gcloud sql databases list --instance=other:db
gcloud container node-pools list --cluster=projects/other/locations/l/clusters/c
gcloud run services logs read projects/other/locations/l/services/s
gcloud logging read severity=ERROR --organization=1
gcloud logging read severity=ERROR --billing-account=1
CLOUDSDK_CORE_PROJECT=other gcloud compute instances list
az vm list --subscription other
az vm list --subs other
az graph query -q Resources
az graph query -q Resources --subscriptions other
az graph query -q Resources --management-groups root
az vm show --ids /subscriptions/other/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/vm
az monitor metrics list --resource=/SUBSCRIPTIONS/other/resourceGroups/g
az lock list --scope /providers/Microsoft.Management/managementGroups/root
az monitor log-analytics query -w x --analytics-query "workspace('other').AppExceptions"
kubectl --context prod get pods
kubectl get pods --context=prod
kubectl get pods --kubeconfig /tmp/other
kubectl get pods --cluster other
kubectl get pods -s https://other
kubectl get pods -shttps://other
kubectl get pods --token x
kubectl get pods --as admin
kubectl delete pod web-1 --context prod
kubectl exec web-1 --context prod -- ls
KUBECONFIG=/tmp/other kubectl get pods
xargs kubectl --context prod get pods
timeout 5 kubectl --context prod get pods
oc get pods --context prod
helm list --kube-context prod
helm upgrade shop ./chart --kube-context prod
argocd app list --argocd-context prod
docker -H tcp://other:2375 ps
docker --context prod ps
docker --context=prod rm -f web
DOCKER_HOST=tcp://other:2375 docker ps
podman --connection prod ps
`;

export function linesOf(list: string): string[] {
  return list.split('\n').filter((line) => line !== '');
}
