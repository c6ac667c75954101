; Definitions
(class_definition name: (_) @name) @definition.class
(object_definition name: (_) @name) @definition.object
(package_object name: (_) @name) @definition.object
(trait_definition name: (_) @name) @definition.trait
(enum_definition name: (_) @name) @definition.enum
(simple_enum_case name: (_) @name) @definition.enum-member
(full_enum_case name: (_) @name) @definition.enum-member
(type_definition name: (_) @name) @definition.type
(function_definition name: (identifier) @name (#eq? @name "this")) @definition.constructor
(function_definition name: (_) @name return_type: (_)? @type) @definition.function
(function_declaration name: (_) @name return_type: (_)? @type) @definition.function
(given_definition name: (_) @name) @definition.constant
(class_parameter name: (identifier) @name type: (_) @type) @definition.property
(val_definition pattern: (identifier) @name type: (_) @type) @definition.property
(val_definition pattern: (identifier) @name value: (instance_expression [(type_identifier) (generic_type)] @type)) @definition.property
(val_definition pattern: (identifier) @name) @definition.property
(val_definition pattern: (tuple_pattern (identifier) @name)) @definition.property
(val_declaration name: (identifier) @name type: (_) @type) @definition.property
(var_definition pattern: (identifier) @name type: (_)? @type) @definition.property
(var_declaration name: (identifier) @name type: (_) @type) @definition.property

; Imports and package
(package_clause name: (package_identifier) @namespace)
(package_identifier (identifier) @ignore)
(import_declaration) @import
(import_declaration (identifier) @ignore)
(import_declaration (namespace_selectors (identifier) @ignore))
(import_declaration (namespace_selectors (arrow_renamed_identifier name: (identifier) @ignore)))
(import_declaration (namespace_selectors (arrow_renamed_identifier alias: (identifier) @ignore)))

; Heritage
(extends_clause "with" . (type_identifier) @reference.implements)
(extends_clause "with" . (generic_type type: (type_identifier) @reference.implements))
(extends_clause "with" . (stable_type_identifier . (_) @receiver (type_identifier) @reference.implements .))
(extends_clause (type_identifier) @reference.extends)
(extends_clause (generic_type type: (type_identifier) @reference.extends))
(extends_clause (stable_type_identifier . (_) @receiver (type_identifier) @reference.extends .))

; Uses
(annotation name: (type_identifier) @reference.annotation)
(instance_expression (type_identifier) @reference.new)
(instance_expression (generic_type type: (type_identifier) @reference.new))
(instance_expression (stable_type_identifier . (_) @receiver (type_identifier) @reference.new .))
(call_expression function: (identifier) @reference.call)
(call_expression function: (generic_function function: (identifier) @reference.call))
(call_expression function: (field_expression value: (_) @receiver field: (identifier) @reference.member-call))
(field_expression value: (identifier) @receiver field: (identifier) @reference.member (#match? @reference.member "^[A-Z]"))
(field_expression value: (identifier) @reference.type (#match? @reference.type "^[A-Z]"))
; Methods without parameters are called without parentheses.
(field_expression value: (_) @receiver field: (identifier) @reference.member-call)
(infix_expression left: (_) @receiver operator: (identifier) @reference.member-call)
(stable_type_identifier . (_) @receiver (type_identifier) @reference.type .)
(case_class_pattern type: (type_identifier) @reference.type)
(stable_identifier . (identifier) @receiver (identifier) @reference.member .)
(stable_identifier . (identifier) @reference.type (#match? @reference.type "^[A-Z]"))
(type_identifier) @reference.type
((identifier) @ignore (#eq? @ignore "this"))
(identifier) @reference.use

; What binds names
[(function_definition) (function_declaration) (class_definition) (trait_definition) (enum_definition) (type_definition) (given_definition) (extension_definition) (block) (indented_block) (lambda_expression) (case_clause) (for_expression)] @scope
(parameter name: (identifier) @local type: (_) @type)
(lambda_expression parameters: (identifier) @local)
(binding name: (identifier) @local type: (_)? @type)
(block (val_definition pattern: (identifier) @local type: (_) @type))
(block (val_definition pattern: (identifier) @local value: (instance_expression [(type_identifier) (generic_type)] @type)))
(block (val_definition pattern: (identifier) @local))
(block (val_definition pattern: (tuple_pattern (identifier) @local)))
(block (var_definition pattern: (identifier) @local type: (_)? @type))
(indented_block (val_definition pattern: (identifier) @local type: (_)? @type))
(indented_block (var_definition pattern: (identifier) @local type: (_)? @type))
(enumerator . (identifier) @local)
(enumerator . (tuple_pattern (identifier) @local))
(case_clause pattern: (identifier) @local (#match? @local "^[a-z_]"))
(typed_pattern pattern: (identifier) @local type: (_) @type)
(case_class_pattern pattern: (identifier) @local (#match? @local "^[a-z_]"))
(tuple_pattern (identifier) @local (#match? @local "^[a-z_]"))
(capture_pattern name: (identifier) @local)
(type_parameters name: (identifier) @local)
